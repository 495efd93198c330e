/** Uses a built site as a reader does, and prints what happened as JSON. `--site <folder>` is the site, `--word <word>` what to search for. */
import { parseArgs } from 'node:util';
import type { Page } from 'puppeteer-core';
import { serveSite } from '../serve-site.ts';
import { DESKTOP, hydrated, watch } from './inspector.ts';
import { openBrowser } from './open-browser.ts';

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: '.tmp/site' },
    word: { type: 'string', default: '' },
    heading: { type: 'string', default: 'errors#rate_limit_exceeded' },
  },
});
const site = await serveSite(values.site);
const browser = await openBrowser();
const page = await browser.newPage();
await page.setViewport(DESKTOP);
const problems: string[] = [];
watch(page, new URL(site.url).origin, (problem) => problems.push(problem));
const used = {
  search: await search(page, values.word),
  appearance: await switchAppearance(page),
  landing: await land(page, values.heading),
  problems: [...problems],
};
// A page that is missing is one on the console, too.
const facts = { ...used, missing: await openMissing(page) };
await browser.close();
await site.close();
console.log(JSON.stringify(facts));

/** The addresses that the search finds for a word. */
async function search(tab: Page, word: string): Promise<string[]> {
  await open(tab, '');
  await tab.click('.DocSearch-Button');
  await tab.waitForSelector('.search-input');
  await tab.type('.search-input', word);
  await tab.waitForSelector('#localsearch-list .result');
  return tab.$$eval('#localsearch-list a.result', (found) =>
    found.map((link) => new URL(link.href).pathname),
  );
}

/** The ground of the page before and after the switch, and after the page has been loaded again. */
async function switchAppearance(tab: Page): Promise<string[]> {
  await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  await open(tab, '');
  const ground = (): Promise<string> =>
    tab.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  const before = await ground();
  await tab.click('.VPNavBarAppearance button');
  const after = await ground();
  await open(tab, '');
  return [before, after, await ground()];
}

/** The text of the heading that an address with an anchor leads to, and where it is in the window. */
async function land(tab: Page, path: string): Promise<{ text: string; top: number }> {
  await open(tab, path);
  const id = path.split('#')[1] ?? '';
  return tab.$eval(`[id="${id}"]`, (heading) => ({
    text: heading.textContent.replace(/\u200B/g, '').trim(),
    top: Math.round(heading.getBoundingClientRect().top),
  }));
}

async function openMissing(tab: Page): Promise<{ status: number; text: string }> {
  const response = await tab.goto(`${site.url}no/such/page`);
  await hydrated(tab);
  const text = await tab.$eval('h1', (heading) => heading.textContent.trim());
  return { status: response?.status() ?? 0, text };
}

async function open(tab: Page, path: string): Promise<void> {
  // An address that differs in its anchor alone would not load anew.
  await tab.goto('about:blank');
  await tab.goto(site.url + path);
  await hydrated(tab);
}
