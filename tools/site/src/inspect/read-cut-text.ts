import type { Page } from 'puppeteer-core';

/**
 * The text that nobody can read in the present width: what is around it cuts off what does not fit, and does not scroll.
 * A clip path says that something is hidden on purpose, as skip links are.
 */
export async function readCutText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cuts = (element: Element, right: number): boolean => {
      const { overflowX, clipPath } = getComputedStyle(element);
      const { clientLeft, clientWidth, scrollWidth } = element;
      // What is wider within than it is need not be so for this text, and a text that is placed otherwise can stand out.
      const edge = element.getBoundingClientRect().left + clientLeft + clientWidth;
      const isCut = scrollWidth > clientWidth && right > edge + 1;
      return isCut && clipPath === 'none' && ['hidden', 'clip'].includes(overflowX);
    };
    const range = document.createRange();
    const findCutter = (text: Node): Element | undefined => {
      range.selectNodeContents(text);
      const { right } = range.getBoundingClientRect();
      // What scrolls shows its text in time, wherever that is now.
      let element = text.parentElement;
      while (
        element !== null &&
        !['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
      ) {
        if (cuts(element, right)) return element;
        element = element.parentElement;
      }
      return undefined;
    };
    const faults = new Set<string>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement, textContent } = texts.currentNode;
      const words = textContent?.trim().slice(0, 40) ?? '';
      if (words === '' || !parentElement?.checkVisibility()) continue;
      if (parentElement.closest('svg') !== null) continue;
      const cutter = findCutter(texts.currentNode);
      if (cutter === undefined) continue;
      const place = `${cutter.tagName.toLowerCase()}.${cutter.className}`;
      faults.add(`has text cut off on a phone, by ${place}: ${words}`);
    }
    return [...faults];
  });
}
