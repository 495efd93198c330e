import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/**
 * Gives a heading the id of the empty anchor in the line before it. The reference has one before each heading: two names that
 * differ in case alone have two ids there, which a slug of the heading could not tell.
 */
export function takeAnchorIds(tokens: Token[]): Token[] {
  const ids = tokens.map((_, at) => anchorBefore(tokens, at));
  ids.forEach((id, at) => {
    const heading = tokens[at];
    if (id === undefined || heading === undefined) return;
    heading.attrSet('id', id);
    for (const child of tokens[at + 1]?.children ?? []) {
      if (child.attrGet('class') === 'header-anchor') child.attrSet('href', `#${id}`);
    }
  });
  return tokens.filter((_, at) => ![1, 2, 3].some((ahead) => ids[at + ahead] !== undefined));
}

/** The id of the anchor that is the paragraph before a heading. */
function anchorBefore(tokens: readonly Token[], at: number): string | undefined {
  const [open, inline, close] = tokens.slice(Math.max(0, at - 3), at);
  if (tokens[at]?.type !== 'heading_open') return undefined;
  if (open?.type !== 'paragraph_open' || close?.type !== 'paragraph_close') return undefined;
  return /^<a id="([^"]+)"><\/a>$/.exec(inline?.content ?? '')?.[1];
}
