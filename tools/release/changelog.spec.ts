import { readChangelog } from './changelog.ts';

describe('readChangelog', () => {
  it('reads minor and major headings, and what is below them', () => {
    const text = [
      '# 1.0.0 (2026-12-01)\n\n### Breaking changes\n\n- Count otherwise.\n',
      '## 0.2.0 (2026-11-30)\n\n### Fixes\n\n- End right.\n  ## 3 is no heading',
    ];
    expect(readChangelog(text.join('\n'))).toEqual([
      { version: '1.0.0', notes: '### Breaking changes\n\n- Count otherwise.' },
      { version: '0.2.0', notes: '### Fixes\n\n- End right.\n  ## 3 is no heading' },
    ]);
  });

  it('finds nothing in an empty one', () => {
    expect(readChangelog('')).toEqual([]);
  });
});
