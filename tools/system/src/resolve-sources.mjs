// Lets Node run the packages' sources as they are: it strips types, but does not look for `x.ts` behind `./x.js`.
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const isSource = context.parentURL?.includes('/packages/') && specifier.startsWith('.');
    return next(isSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
