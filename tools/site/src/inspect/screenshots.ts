/**
 * Takes pictures of the pages of a built site into .tmp/site-pages: of each on a desktop in light and in dark, and on a phone.
 * `--only <text>` takes the pages that have it in their address, `--sheet` the phones alone, side by side.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'puppeteer-core';
import { serveSite } from '../serve-site.ts';
import { DESKTOP, hydrated, PHONE } from './inspector.ts';
import { listAddresses } from './list-addresses.ts';
import { openBrowser } from './open-browser.ts';

const folder = '.tmp/site-pages';
/** Of a page on a phone that is in a sheet. */
const SHEET_HEIGHT = 1_600;
const PAGES_A_SHEET = 10;

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: '.tmp/site' },
    only: { type: 'string', default: '' },
    sheet: { type: 'boolean', default: false },
  },
});
mkdirSync(folder, { recursive: true });
const site = await serveSite(values.site);
const browser = await openBrowser();
const page = await browser.newPage();
const addresses = listAddresses(values.site, site.url).filter((url) => url.includes(values.only));
await (values.sheet ? takeSheets(page, addresses) : takePages(page, addresses));
await browser.close();
await site.close();

async function takePages(tab: Page, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const name = nameOf(url);
    for (const scheme of ['light', 'dark'] as const) {
      await open(tab, url, DESKTOP, scheme);
      await tab.screenshot({ path: join(folder, `${name}-${scheme}.png`) });
    }
    await open(tab, url, PHONE, 'light');
    await tab.screenshot({ path: join(folder, `${name}-phone.png`) });
  }
}

async function takeSheets(tab: Page, urls: readonly string[]): Promise<void> {
  const shots: string[] = [];
  for (const url of urls) {
    await open(tab, url, { ...PHONE, height: SHEET_HEIGHT }, 'light');
    shots.push(await tab.screenshot({ encoding: 'base64' }));
  }
  await tab.setViewport({ width: PAGES_A_SHEET * PHONE.width, height: SHEET_HEIGHT });
  for (let first = 0; first < shots.length; first += PAGES_A_SHEET) {
    const images = shots
      .slice(first, first + PAGES_A_SHEET)
      .map((shot) => `<img src="data:image/png;base64,${shot}">`);
    await tab.setContent(`<body style="margin:0;display:flex">${images.join('')}</body>`);
    await tab.screenshot({ path: join(folder, `sheet-${first / PAGES_A_SHEET + 1}.png`) });
  }
}

async function open(
  tab: Page,
  url: string,
  viewport: typeof DESKTOP,
  scheme: 'light' | 'dark',
): Promise<void> {
  await tab.setViewport(viewport);
  await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await tab.goto('about:blank');
  await tab.goto(url, { waitUntil: 'networkidle0' });
  await hydrated(tab);
}

function nameOf(url: string): string {
  const path = url.slice(site.url.length).replace(/\/$/, '').replaceAll('/', '-');
  return path === '' ? 'home' : path;
}
