/**
 * Opens every page of a built site in a browser and prints what is wrong as JSON.
 * `--site <folder>` is the site, .tmp/site by default; `--only <text>` takes the pages that have it in their address.
 */
import { parseArgs } from 'node:util';
import { serveSite } from '../serve-site.ts';
import { deadLinks } from './dead-links.ts';
import { Inspector, type PageReport } from './inspector.ts';
import { listAddresses } from './list-addresses.ts';
import { openBrowser } from './open-browser.ts';
import { besideSite } from './read-page.ts';

/** Pages that are open at the same time. */
const LANES = 2;

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: '.tmp/site' },
    only: { type: 'string', default: '' },
  },
});
const site = await serveSite(values.site, { beside: besideSite });
const browser = await openBrowser();
const addresses = listAddresses(values.site, site.url).filter((url) => url.includes(values.only));
/** Of the frame of a page there are two kinds: with a sidebar and without. */
const withFrame = new Set([site.url, addresses[0]]);
const reports: PageReport[] = [];
const lane = async (): Promise<void> => {
  const inspector = await Inspector.open(browser, new URL(site.url).origin);
  for (let url = addresses.shift(); url !== undefined; url = addresses.shift()) {
    reports.push(await inspector.inspect(url, withFrame.has(url)));
  }
};
await Promise.all(Array.from({ length: LANES }, lane));
await browser.close();
await site.close();

const problems = [
  ...reports.flatMap(({ url, problems: all }) => all.map((problem) => `${url}: ${problem}`)),
  ...(values.only === '' ? deadLinks(site.url, reports) : []),
].map((problem) => problem.replaceAll(site.url, '/'));
console.log(JSON.stringify({ pages: reports.length, problems }, undefined, 2));
