/**
 * The architecture as lint options: which layer may depend on which, and which package may name
 * which third party. A spec beside this file holds one deliberate violation against each of them.
 */
const below = (layer) => Array.from({ length: layer }, (_, lower) => `layer:${String(lower)}`);

function boundaries(extraTags) {
  const numbered = [0, 1, 2, 3, 4].map((layer) => ({
    sourceTag: `layer:${String(layer)}`,
    onlyDependOnLibsWithTags: [...below(layer), ...(layer > 0 ? extraTags : [])],
  }));
  return {
    allow: [],
    enforceBuildableLibDependency: false,
    depConstraints: numbered,
    // Each is tested with the other: the suite on the memory store, the stores with the suite.
    ignoredCircularDependencies:
      extraTags.length > 0
        ? [['@frontmcp/guard-storage-adapters', '@frontmcp/guard-storage-conformance']]
        : [],
  };
}

/** Options of `@nx/enforce-module-boundaries`; tests may use what is tagged as support for them. */
export const layers = { production: boundaries([]), tests: boundaries(['test-support']) };

export const vendorClients = {
  modules: '^(ioredis|redis|@redis/.*|@upstash/.*|@vercel/kv|@cloudflare/.*|cloudflare:.*)(/|$)',
  message: 'Only packages/storage-adapters may name a storage client.',
};

export const frameworks = {
  modules:
    '^(express|express4|fastify|fastify-plugin|@fastify/.*|hono|@hono/.*|@modelcontextprotocol/.*)(/|$)',
  message: 'Only a plugin may name its framework.',
};

export const zod = {
  modules: '^zod(/|$)',
  message: 'Only packages/guard-manager/src/schemas may import zod.',
};

// `lib: DOM` is there for what servers share with browsers, and declares this as well.
const ofBrowsers =
  'document window self frames parent top opener history location screen localStorage ' +
  'sessionStorage indexedDB alert confirm prompt open close closed stop print focus blur find ' +
  'scroll name event length status origin requestAnimationFrame requestIdleCallback ' +
  'XMLHttpRequest Worker SharedWorker FileReader MutationObserver Document Window Node ' +
  'Element HTMLElement Image Audio';

/** Options of `no-restricted-globals`. */
export const browserGlobals = ofBrowsers
  .split(' ')
  .map((name) => ({ name, message: 'Not every server that the packages run on has this.' }));

const syntax = [
  {
    selector: 'ExportAllDeclaration',
    message: 'Name what is exported: `export *` makes a surface that nobody decided on.',
  },
  {
    selector:
      'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|skip|todo)$/]',
    message: 'A test that does not run proves nothing, and one that stands alone hides the rest.',
  },
];

/** Rules against naming the given modules: in an import, an `import()`, a type and a require. */
export function restrict(...bans) {
  const inExpressions = bans.flatMap(({ modules, message }) => {
    const value = `[value=/${modules.replaceAll('/', '\\u002F')}/]`;
    return [
      { selector: `ImportExpression > Literal${value}`, message },
      { selector: `TSImportType Literal${value}`, message },
      { selector: `CallExpression[callee.name='require'] > Literal${value}`, message },
    ];
  });
  const patterns = bans.map(({ modules, message }) => ({ regex: modules, message }));
  return {
    'no-restricted-imports': ['error', { patterns }],
    'no-restricted-syntax': ['error', ...syntax, ...inExpressions],
  };
}
