import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { listPages, sitePath } from './pages.ts';

interface Inspection {
  readonly pages: number;
  readonly problems: readonly string[];
}

interface Tour {
  readonly search: readonly string[];
  readonly appearance: readonly string[];
  readonly landing: { readonly text: string; readonly top: number };
  /** Of the console and the network, meanwhile. */
  readonly problems: readonly string[];
  readonly missing: { readonly status: number; readonly text: string };
}

/** Inside of the workspace, and of this run alone. */
const site = `.tmp/site-spec-${process.pid}`;
/** A build and a browser take their time on a machine that has other work. */
const LONG_MS = 600_000;

/** Runs a tool by itself: what it is made of cannot be loaded by Jest. */
function run(tool: string, ...args: string[]): string {
  return execFileSync(process.execPath, [join('tools/site/src', tool), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 26,
  });
}

function inspect(folder: string): Inspection {
  return JSON.parse(run('inspect/main.ts', '--site', folder)) as Inspection;
}

describe('the site', () => {
  beforeAll(() => {
    run('main.ts', '--out', site);
  }, LONG_MS);
  afterAll(() => {
    rmSync(site, { recursive: true, force: true });
  });

  it(
    'has no fault on any page, in a real browser',
    () => {
      const { pages, problems } = inspect(site);
      expect(problems).toEqual([]);
      expect(pages).toBe(listPages().length);
    },
    LONG_MS,
  );

  it(
    'is searched, switched to dark and linked into',
    () => {
      const word = 'tombstone';
      const holders = listPages().filter((file) => readFileSync(file, 'utf8').includes(word));
      const pages = holders.map((file) => `/guard/${sitePath(file)!.replace(/\.md$/, '')}`);
      expect(pages).toHaveLength(1);

      const tour = JSON.parse(run('inspect/tour.ts', '--site', site, '--word', word)) as Tour;
      expect(tour.search.map((path) => path.split('#')[0])).toEqual(pages);
      expect(tour.appearance).toEqual(['normal', 'dark', 'dark']);
      expect(tour.landing.text).toBe('RATE_LIMIT_EXCEEDED');
      expect(tour.landing.top).toBeGreaterThanOrEqual(0);
      expect(tour.landing.top).toBeLessThan(200);
      expect(tour.problems).toEqual([]);
      expect(tour.missing).toEqual({ status: 404, text: 'Page not found' });
    },
    LONG_MS,
  );
});

describe('the inspection', () => {
  const page = (head: string, body: string): string =>
    `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>A page</h1>${body}</main></body></html>`;

  it(
    'finds whatever has been planted, and nothing on a good page',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'guard-site-'));
      try {
        const long = 'goes on for longer than a phone is wide '.repeat(3);
        const wide = '<div style="width: 500px; height: 1px"></div>';
        const good = page(
          '<title>Good</title>',
          [
            '<p id="here"><a href="bad">Bad</a></p>',
            `<div style="overflow: hidden">${wide}<p>Fits</p>`,
            `<pre tabindex="0" style="overflow-x: auto">This scrolls and ${long}</pre></div>`,
            '<div style="overflow: hidden; width: 9px; height: 30px">',
            '<b style="position: absolute">This stands out</b></div>',
            '<a href="#here" style="position: absolute; width: 1px; padding: 8px; overflow: hidden;',
            `white-space: nowrap; clip-path: inset(50%)">This is hidden and ${long}</a>`,
          ].join(''),
        );
        const bad = page(
          '<style>.dark p { color: #222; background: #111 }</style>',
          [
            '<h1>Another</h1><p>Dark</p><p id="a">A</p><p id="a">B</p>',
            '<a href="none">page</a> <a href="./#none">anchor</a> <a href="./#here">fine</a>',
            '<img src="none.png"><div style="width: 500px">wide</div>',
            '<small style="font-size: 10px">small</small>',
            `<pre class="cut" style="overflow-x: hidden">This is cut and ${long}</pre>`,
            `<div class="clip" style="overflow-x: clip"><pre>This is clipped and ${long}</pre></div>`,
            '<script>console.warn("warned"); fetch("http://localhost:9/").catch(() => {}); throw new Error("thrown")</script>',
          ].join(''),
        );
        writeFileSync(join(folder, 'index.html'), good);
        writeFileSync(join(folder, 'bad.html'), bad);
        writeFileSync(join(folder, '404.html'), good);
        const { pages, problems } = inspect(folder);
        expect(pages).toBe(2);
        const wanted = [
          'says on the console: warned',
          'throws: Error: thrown',
          'asks another host: http://localhost:9/',
          'cannot load http://localhost:9/',
          'gets 404 for /none.png',
          'has no title',
          'has 2 headings of the first level',
          'has ids twice: a',
          'px wide on a phone of 360',
          'has text under 12 px: small. 10 px',
          'has text cut off on a phone, by pre.cut: This is cut and goes on',
          'has text cut off on a phone, by div.clip: This is clipped and goes on',
          'in light, image-alt: ',
          'in dark, color-contrast: ',
          'leads nowhere: /none',
          'leads nowhere: /#none',
        ];
        for (const problem of wanted) {
          expect(problems).toContainEqual(expect.stringContaining(problem));
        }
        expect(problems.filter((problem) => !problem.startsWith('/bad: '))).toEqual([]);
        expect(problems.join('\n')).not.toContain('#here');
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    LONG_MS,
  );
});
