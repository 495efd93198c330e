import { undefinedIfNotInstalled } from './undefined-if-not-installed.js';

const fail = (message: string, code?: string): Error => Object.assign(new Error(message), { code });

describe('undefinedIfNotInstalled', () => {
  it.each([
    fail("Cannot find package 'ioredis' imported from /app/index.js", 'ERR_MODULE_NOT_FOUND'),
    fail("Cannot find module 'ioredis'\nRequire stack:\n- /app/index.cjs", 'MODULE_NOT_FOUND'),
    fail('Cannot find package "ioredis" from "/app/index.js"'),
    fail('No such module "ioredis".'),
  ])('is undefined for %s', (error) => {
    const givesUndefined = undefinedIfNotInstalled('ioredis') as (error: unknown) => unknown;
    expect(givesUndefined(error)).toBeUndefined();
  });

  it.each([
    fail("Cannot find package 'denque' imported from /app/ioredis.js", 'ERR_MODULE_NOT_FOUND'),
    fail('Unexpected token'),
    'a string',
  ])('throws %s', (error) => {
    expect(() => undefinedIfNotInstalled('ioredis')(error)).toThrow(error);
  });

  it('tells what is installed from what is not', async () => {
    const name: string = '@frontmcp/not-there';
    expect(await import(name).catch(undefinedIfNotInstalled(name))).toBeUndefined();
  });
});
