import type axe from 'axe-core';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer-core';
import { project } from '../project.ts';

/** What a page says of itself, once it has loaded. */
export interface PageFacts {
  readonly title: string;
  readonly headings: number;
  readonly ids: readonly string[];
  readonly links: readonly string[];
}

/** Below this no text is to be read on a phone. */
const LEAST_FONT_PX = 12;
/** Rules that say something else when the colours are others. */
const COLOUR_RULES = { type: 'rule', values: ['color-contrast'] } as const;

/** What {@link readFaults} has to be served beside the site: as a file, the browser compiles it once. */
export const besideSite = {
  '~axe.js': createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
} as const;

/** Brings in the pictures that are not in view yet, so that one that is missing is found, and waits for them. */
export async function readFacts(page: Page): Promise<PageFacts> {
  return page.evaluate(async () => {
    const images = [...document.images];
    for (const image of images) image.loading = 'eager';
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
    return {
      title: document.title,
      headings: document.querySelectorAll('h1').length,
      ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
      links: [...document.querySelectorAll('a')]
        .filter((a) => a.hasAttribute('href'))
        .map((a) => a.href),
    };
  });
}

/** What every page has around its content. */
const FRAME = '.VPNav, .VPSidebar, .VPLocalNav, .VPDocAside, .VPFooter';

/**
 * The faults by axe-core that are serious or critical: all rules in light, those on colour again in dark. The page is spent
 * afterwards.
 *
 * @param frame Whether to look at what is the same on every page, too, which takes longer than most pages.
 */
export async function readFaults(page: Page, frame: boolean): Promise<string[]> {
  await page.addScriptTag({ url: `${project.base}~axe.js` });
  await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important }' });
  if (!frame) await page.$$eval(FRAME, (parts) => parts.forEach((part) => part.remove()));
  const light = await runAxe(page);
  await page.evaluate(() => document.documentElement.classList.add('dark'));
  const dark = await runAxe(page, COLOUR_RULES);
  return [
    ...light.map((fault) => `in light, ${fault}`),
    ...dark.map((fault) => `in dark, ${fault}`),
  ];
}

async function runAxe(page: Page, runOnly?: typeof COLOUR_RULES): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(runOnly !== undefined && { runOnly }) };
  return page.evaluate(async (chosen) => {
    const { axe: tool } = window as unknown as { axe: typeof axe };
    const { violations } = await tool.run(document, chosen as unknown as axe.RunOptions);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => {
        const first = nodes.slice(0, 3).map(({ html }) => html.slice(0, 200));
        return `${id}: ${first.join(' ')}`;
      });
  }, options);
}

/** What is too wide or too small on a phone, in its present width. */
export async function readPhoneFaults(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const root = document.documentElement;
    const faults: string[] = [];
    if (root.scrollWidth > root.clientWidth) {
      faults.push(`is ${root.scrollWidth} px wide on a phone of ${root.clientWidth}`);
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const small = new Set<string>();
    while (texts.nextNode()) {
      const parent = texts.currentNode.parentElement;
      if (parent === null || texts.currentNode.textContent?.trim() === '') continue;
      if (!parent.checkVisibility() || parent.closest('svg') !== null) continue;
      const size = parseFloat(getComputedStyle(parent).fontSize);
      if (size < least) small.add(`${parent.tagName.toLowerCase()}.${parent.className} ${size} px`);
    }
    if (small.size > 0)
      faults.push(`has text under ${least} px: ${[...small].slice(0, 5).join(', ')}`);
    return faults;
  }, LEAST_FONT_PX);
}
