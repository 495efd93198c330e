import { panelOf, shortName, shortTitle } from '../../chart/bars-of.ts';
import { rowOf } from '../../findings.ts';
import type { PartPage } from '../part-page.ts';

export const ipPage: PartPage = {
  title: 'IP filter',
  lead: `A check of an address against mixed IPv4 and IPv6 rules, text in, a result object out. The floor is parsing the address alone.
Every answer is compared with those of \`net.BlockList\` before anything is timed.`,
  chart: ({ groups }) => ({
    kind: 'bars',
    title: 'A check of an address that is in a rule',
    subtitle: 'CPU nanoseconds a check; less is better',
    alt: 'Bars: CPU time of a check of the IP filter and of net.BlockList at 10 to 1,000,000 rules',
    panels: groups
      .filter(({ id }) => id.endsWith('-hit'))
      .map((group) =>
        panelOf(group, {
          title: shortTitle(group.title.replace(', an address in a rule', '')),
          value: ({ median }) => median,
          name: ({ name }) => shortName(name.replace(', told the family', ' told')),
          cap: 3 * rowOf(group, 'net.BlockList').median,
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
      'Says only whether an address is in the list, not by which rule. It has to be told the family, which `net.isIPv6` finds out.',
    'net.BlockList, told the family':
      'The same for who knows the family beforehand. Against that the goal of 3 × is not reached in every table.',
    'arkime-iptrie, native':
      'Says which rule matched; written in C++ and compiled when it is installed. IPv4 and IPv6 rules in one tree each.',
    'ipaddr.js': 'Goes through the rules one by one; parses the address into an object.',
    'hono/ip-restriction':
      'Goes through the ranges one by one, in big integers; a middleware, whose promise is awaited.',
  },
  reasons: {
    'ip-trie': 'See the tables.',
    'ip-few':
      'Parsing the address is most of our time up to 1,000 rules, so no table could be much faster; `net.BlockList` parses in C++.',
    'ip-every-size': 'See the tables.',
  },
  close: `The native trie is built by \`node-gyp rebuild -C node_modules/arkime-iptrie\`, since scripts of dependencies never run here; without that it is left out.

A fixed index of 768 KB stands in for a search from some hundred intervals on; beyond it no input takes more than 44 bytes a rule. What the other tables take is
outside of the heap, where it cannot be counted.`,
};
