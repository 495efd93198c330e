import { panelOf } from '../../chart/bars-of.ts';
import type { PartPage } from '../part-page.ts';

const TITLES: Readonly<Record<string, string>> = {
  alone: 'alone',
  'under-signal': "under the caller's signal",
};

export const timeoutPage: PartPage = {
  title: 'Timeout',
  lead: `A deadline around a function that has resolved already. The floor is the least code that gives a function a signal and a deadline.`,
  chart: ({ groups }) => ({
    kind: 'bars',
    title: 'A deadline around a function',
    subtitle:
      'CPU time ÷ that of the hand-written one; less is better, the dashed line is the goal of 1.4',
    alt: 'Bars: CPU time of a call under a deadline of each library, divided by that of a hand-written one',
    panels: groups.map((group) =>
      panelOf(group, { goal: 1.4, title: TITLES[group.id] ?? group.title }),
    ),
  }),
  tables: [{ caption: 'CPU time ÷ the floor, and per call:', groups: /./ }],
  peers: {
    'bare await': 'No deadline at all.',
    'hand-written with a signal':
      'Checks no argument; no deadline over 24.8 days; lets a synchronous throw escape.',
    'cockatiel (cooperative)': 'The same work, with events and a policy object around it.',
    'p-timeout': 'Gives the function no signal; builds an error with its stack for every call.',
  },
  reasons: {
    'timeout-cost': 'What is over the hand-written one are the checks of its arguments.',
    'timeout-heap': 'Something of a call stays behind: a leak to be found.',
  },
};
