import { apiFolder } from './pages.ts';

/** A part of the sidebar: which files of the repository are in it. */
export interface Section {
  readonly text: string;
  readonly holds: RegExp;
  /** What comes first, by the path or the end of it; all else follows by its name. */
  readonly order?: readonly string[];
  /** Folded until it is opened. */
  readonly collapsed?: boolean;
  /** Sections inside of it, below its own pages. */
  readonly sections?: readonly Section[];
}

/** The sidebar. A page belongs to the first section that holds it. */
export const sections: readonly Section[] = [
  {
    text: 'Start',
    holds: /^docs\/start\//,
    order: ['mcp.md', 'express.md', 'fastify.md', 'hono.md', 'fetch.md', 'workers.md'],
  },
  {
    text: 'Guides',
    holds: /^docs\/guides\//,
    order: ['choosing-limits.md', 'choosing-storage.md', 'failure-modes.md', 'security.md'],
  },
  { text: 'Recipes', holds: /^docs\/recipes\// },
  {
    text: 'Packages',
    holds: /^packages\//,
    order: ['guard/README.md', 'mcp/README.md', 'express/README.md', 'fastify/README.md'],
    collapsed: true,
  },
  {
    text: 'Reference',
    holds: new RegExp(`^${apiFolder}/`),
    order: ['index.md', 'guard.md'],
    collapsed: true,
  },
  { text: 'Errors', holds: /^docs\/errors\.md$/ },
  { text: 'Migrate', holds: /^docs\/migrate\// },
  {
    text: 'Project',
    holds:
      /^(?:docs\/(?:architecture|benchmarks|performance)\.md|docs\/contributing\/.*|[A-Z]+\.md)$/,
    order: [
      'architecture.md',
      'benchmarks.md',
      'performance.md',
      'VERSIONING.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
    ],
    sections: [{ text: 'Decisions', holds: /^docs\/adr\//, collapsed: true }],
  },
];
