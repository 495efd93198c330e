import type { Browser, HTTPResponse, Page } from 'puppeteer-core';
import { readCutText } from './read-cut-text.ts';
import { readFacts, readFaults, readPhoneFaults, type PageFacts } from './read-page.ts';

/** What was found on a page. */
export interface PageReport extends PageFacts {
  readonly url: string;
  readonly problems: readonly string[];
}

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };

/**
 * Looks at one page after another in a tab of its own, at the width of a phone, in light and in dark. A page with its frame is
 * looked at on a desktop, too.
 */
export class Inspector {
  readonly #page: Page;
  #problems: string[] = [];

  private constructor(page: Page, origin: string) {
    this.#page = page;
    watch(page, origin, (problem) => this.#problems.push(problem));
  }

  /** @param origin Of the site; a request to any other is a problem. */
  static async open(browser: Browser, origin: string): Promise<Inspector> {
    return new Inspector(await browser.newPage(), origin);
  }

  /** @param frame Whether to look at the accessibility of what is the same on every page, too. */
  async inspect(url: string, frame: boolean): Promise<PageReport> {
    const page = this.#page;
    const problems: string[] = [];
    this.#problems = problems;
    await page.setViewport(frame ? DESKTOP : PHONE);
    const response = await page.goto(url, { waitUntil: 'load' });
    await hydrated(page);
    if (response?.status() !== 200) problems.push(`answers ${String(response?.status())}`);
    const facts = await readFacts(page);
    if (facts.title === '') problems.push('has no title');
    if (facts.headings !== 1) problems.push(`has ${facts.headings} headings of the first level`);
    const twice = facts.ids.filter((id, at) => facts.ids.indexOf(id) < at);
    if (twice.length > 0) problems.push(`has ids twice: ${twice.join(', ')}`);
    await page.setViewport(PHONE);
    problems.push(...(await readPhoneFaults(page)), ...(await readCutText(page)));
    if (frame) await page.setViewport(DESKTOP);
    problems.push(...(await readFaults(page, frame)));
    return { ...facts, url, problems: [...new Set(problems)] };
  }
}

/** Waits until the scripts of the page have taken it over, where it has any. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const app = document.querySelector('#app');
    return app === null || '__vue_app__' in app;
  });
}

/**
 * Tells whatever goes wrong while pages are open.
 *
 * @param origin Of the site; a request to any other is a problem.
 */
export function watch(page: Page, origin: string, tell: (problem: string) => void): void {
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) {
      tell(`says on the console: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => tell(`throws: ${String(error)}`));
  page.on('requestfailed', (request) => tell(`cannot load ${request.url()}`));
  page.on('response', (response: HTTPResponse) => {
    if (response.status() >= 400) tell(`gets ${response.status()} for ${response.url()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin) {
      tell(`asks another host: ${request.url()}`);
    }
  });
}
