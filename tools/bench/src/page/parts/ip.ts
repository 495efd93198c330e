import { panelOf, shortTitle } from '../../chart/bars-of.ts';
import type { PartPage } from '../part-page.ts';

const CHECKS = /-(hit|miss)$/;

export const ipPage: PartPage = {
  title: 'IP filter',
  lead: `A check of an address against mixed IPv4 and IPv6 rules, text in, a result object out. The floor is parsing the address alone.
Every answer is compared with those of \`net.BlockList\` before anything is timed.`,
  chart: ({ groups }) => ({
    kind: 'bars',
    title: 'A check of an address',
    subtitle: 'CPU nanoseconds a check; less is better',
    alt: 'Bars: CPU time of a check of the IP filter and of net.BlockList at 10 to 1,000,000 rules',
    panels: groups
      .filter(({ id }) => CHECKS.test(id))
      .map((group) =>
        panelOf(group, {
          title: shortTitle(group.title.replace('an address ', '')),
          value: ({ median }) => median,
        }),
      ),
  }),
  tables: [
    { caption: 'CPU time ÷ the floor, and per check, of an address in a rule:', groups: /-hit$/ },
    { caption: 'The same for an address in none:', groups: /-miss$/ },
    {
      caption: 'Building the table from text:',
      groups: /-build$/,
      cells: ['median', 'bytes a rule'],
    },
  ],
  peers: {
    'parsing alone': 'Looks nothing up.',
    'net.BlockList':
      'Says only whether an address is in the list, not by which rule; wants to be told the family.',
  },
  reasons: {
    'ip-few':
      'Parsing the address is most of our time up to 1,000 rules, so no table could be much faster; `net.BlockList` parses in C++.',
    'ip-every-size': 'See the tables.',
  },
  close: `A fixed index of 768 KB stands in for a search from some hundred intervals on; beyond it no input takes more than 44 bytes a rule.`,
};
