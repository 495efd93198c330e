// Imports one module in a fresh process and says what that took: `cold-import.mjs <module> [hear]`. With `hear`, untimed, it says
// which modules were loaded. JavaScript, so that no type stripping is in the figure.
import { registerHooks } from 'node:module';
import { performance } from 'node:perf_hooks';

const [specifier, mode] = process.argv.slice(2);
const loaded = [];
if (mode === 'hear') {
  registerHooks({
    load(url, context, next) {
      loaded.push(url);
      return next(url, context);
    },
  });
}
const started = performance.now();
const cpu = process.cpuUsage();
await import(specifier);
const { user, system } = process.cpuUsage(cpu);
const ms = performance.now() - started;
const modules = loaded.filter((url) => url.startsWith('file:')).length;
const withZod = loaded.some((url) => url.includes('/node_modules/zod/'));
console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000, modules, withZod }));
process.exit();
