import { relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { takeAnchorIds } from './heading-ids.ts';
import { apiFolder } from './pages.ts';
import { siteHtml } from './site-html.ts';
import { siteLink } from './site-link.ts';

/** What VitePress gives along with a file; nothing with a title that stands alone. */
interface Environment {
  readonly path?: string;
  /** Where the file is, if `path` is where the site has it. */
  readonly realPath?: string;
}

/** Makes links of the repository into links of the site. */
export function useSiteLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('site-links', (state) => {
    const { path, realPath = path } = state.env as Environment;
    if (realPath === undefined) return;
    const file = relative('.', realPath);
    if (file.startsWith(`${apiFolder}/`)) state.tokens = takeAnchorIds(state.tokens);
    for (const token of state.tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
      if (token.type === 'link_open') {
        token.attrSet('href', siteLink(file, token.attrGet('href') ?? ''));
      }
      if (token.type === 'html_block' || token.type === 'html_inline') {
        token.content = siteHtml(file, token.content);
      }
    }
  });
}
