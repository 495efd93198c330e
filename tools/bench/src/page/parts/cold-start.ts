import { panelOf, sorted } from '../../chart/bars-of.ts';
import type { Panel } from '../../chart/chart.ts';
import type { GroupResult } from '../../findings.ts';
import type { PartPage } from '../part-page.ts';

export const coldStartPage: PartPage = {
  title: 'Cold start',
  lead: `What an import costs in a fresh process beyond that of an empty module, and how long a process takes from its start to the first
decision of a manager on memory, beyond bare Node. CPU time counts, since it does not move when others use the machine.`,
  chart: ({ groups: [imports] }) => ({
    kind: 'bars',
    title: 'Import in a fresh process',
    subtitle:
      'CPU milliseconds beyond an empty module; less is better, the dashed line is the goal for all of ours but guard',
    alt: 'Bars: CPU time of the import of each package and of peers',
    panels: imports === undefined ? [] : [importPanel(imports)],
  }),
  tables: [
    { caption: 'Import, beyond an empty module:', groups: /^imports$/ },
    {
      caption: 'From the start of the process to the first decision, beyond bare Node:',
      groups: /^decisions$/,
    },
  ],
  peers: {
    'async-sema': 'One file, no dependency.',
    'rate-limiter-flexible': 'Loads its limiters for every store.',
    'express-rate-limit': 'Loads what it needs to parse IPv6 subnets.',
    'redis-semaphore': 'Without a client.',
    zod: 'For comparison: the peer that checks our configuration.',
    ioredis: 'For comparison: a client.',
  },
  reasons: {
    'cold-primitives':
      'Node takes some 0.7 ms to find a package and as long for each of its files; to run ours takes 0.4 ms at most, and minified files are no faster. Within the goal is a package that is one file with what it needs of the core in it, at the price of copies of the core; for the manager, a third of the files.',
    'cold-zod': 'The manager loads the schemas when it is created, and nothing of it before.',
    'cold-umbrella':
      'The umbrella is some ten packages beside zod, whose import is measured alone here.',
    'cold-decision':
      'By the manager’s own entry it comes in time. The umbrella exports the schemas too, and with them imports zod, which takes longer than the goal by itself: they would need an entry of their own.',
  },
};

/** The primitives, the manager, the umbrella and the peers: the other entries stand in the table. */
function importPanel(imports: GroupResult): Panel {
  const shown =
    /guard(-core|-rate-limit|-semaphore|-timeout|-ip-filter|-manager|-storage-adapters\/memory)?$/;
  const rows = imports.rows.filter(({ name, ours }) => !ours || shown.test(name));
  const value = ({ median }: GroupResult['rows'][number]): number => median;
  return sorted(panelOf({ ...imports, rows }, { title: '', value, goal: 3 }));
}
