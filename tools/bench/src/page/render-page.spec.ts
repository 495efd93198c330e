import { goal } from '../findings.ts';
import type { PartResult } from '../result-files.ts';
import type { PartPage } from './part-page.ts';
import { renderPage } from './render-page.ts';

const row = { median: 1_234, low: 1_100, high: 1_300, ratio: 1.2 };
const group = { title: '1 key', unit: 'CPU ns', ratio: '× floor' };

function result(figure: number): PartResult {
  return {
    part: 'memory',
    machine: { cpu: 'CPU', cores: 2, node: 'v24.0.0', date: '2026-01-01', pinned: true },
    groups: [
      {
        ...group,
        id: 'one',
        rows: [
          { ...row, name: '@frontmcp/guard-x', ours: true },
          { ...row, name: 'peer', ours: false, extra: { 'calls/s': 10_000 } },
        ],
      },
      { ...group, id: 'two', title: '2 keys', rows: [{ ...row, name: 'peer', ours: false }] },
    ],
    goals: [
      goal({
        id: 'small',
        text: 'It is small',
        bound: { atMost: 2 },
        unit: 'B',
        figures: { 'a key': 1, 'a call': figure },
      }),
    ],
  };
}

const page: PartPage = {
  title: 'Rate limit',
  lead: 'What is measured.',
  chart: () => ({ kind: 'bars', title: '', subtitle: '', alt: 'Some bars', panels: [] }),
  tables: [
    { caption: 'Both:', groups: /./ },
    { caption: 'One:', groups: /^one$/ },
    { caption: 'Later:', groups: /^later$/ },
    { caption: 'Speeds:', groups: /./, cells: ['calls/s'] },
    { caption: 'More:', groups: /./, cells: ['calls/s', 'ratio'] },
  ],
  peers: { peer: 'Counts denied calls.' },
  reasons: { small: 'It is large because it is.' },
};

const rendered = renderPage([{ result: result(1), page }]);

describe('renderPage', () => {
  it('has every goal at its head, with the figure nearest to missing it and a link', () => {
    expect(renderPage([{ result: result(5), page }])).toContain(
      '| [Rate limit](#rate-limit) | It is small | 5 B (worst of 2) | ❌ |',
    );
    expect(rendered).toContain('| It is small | 1 B (worst of 2) | ✅ |');
  });

  it('gives the reason of a goal that is missed, and only then', () => {
    expect(renderPage([{ result: result(5), page }])).toContain(
      '- ❌ It is small: a key 1 B; a call 5 B. It is large because it is.',
    );
    expect(rendered).not.toContain('because it is');
  });

  it('is not made when a goal is missed without a reason', () => {
    expect(() => renderPage([{ result: result(5), page: { ...page, reasons: {} } }])).toThrow(
      'The goal "small" is missed, and the page does not say why',
    );
  });

  it('says what every peer leaves out, or is not made', () => {
    expect(rendered).toContain('| peer | Counts denied calls. |');
    expect(() => renderPage([{ result: result(1), page: { ...page, peers: {} } }])).toThrow(
      '"Rate limit" does not say what "peer" leaves out',
    );
  });

  it('has a column a group, with median and spread, ours in bold', () => {
    expect(rendered).toContain(
      '| **@frontmcp/guard-x** | **1.2** ×<br>1,234 CPU ns (1,100–1,300) | – |',
    );
    expect(rendered).toContain(
      '| peer | 1.2 ×<br>1,234 CPU ns (1,100–1,300) | 1.2 ×<br>1,234 CPU ns (1,100–1,300) |',
    );
  });

  it('has a column a figure for a single group', () => {
    expect(rendered).toContain('|  | median, CPU ns | p10–p90 | × floor | calls/s |');
    expect(rendered).toContain('| peer | 1,234 | 1,100–1,300 | 1.2 | 10,000 |');
  });

  it('shows the cells that a view asks for', () => {
    expect(rendered).toContain('| peer | 10,000 |  |');
    expect(rendered).toContain('| peer | 10,000 <sub>calls/s</sub><br>1.2 × | 1.2 × |');
  });

  it('leaves out a table of what has not been measured', () => {
    expect(rendered).not.toContain('Later:');
  });

  it('keeps back nothing that was measured', () => {
    const tables = [{ caption: 'One:', groups: /^one$/ }];
    expect(() => renderPage([{ result: result(1), page: { ...page, tables } }])).toThrow(
      'No table shows the group "two"',
    );
  });

  it('shows nothing twice', () => {
    const tables = [...page.tables, { caption: 'Again:', groups: /^(one|two)$/ }];
    expect(() => renderPage([{ result: result(1), page: { ...page, tables } }])).toThrow(
      '"Again:" shows what "Both:" has shown',
    );
  });

  it('shows a chart by the colours of the reader, and where the figures come from', () => {
    expect(rendered).toContain('srcset="benchmarks/memory-dark.svg"');
    expect(rendered).toContain('<img alt="Some bars" src="benchmarks/memory-light.svg">');
    expect(rendered).toContain('<sub>2026-01-01, Node v24.0.0, 2 × CPU, the client on one core');
  });
});
