import { project } from './project.ts';
import { siteLink } from './site-link.ts';

/**
 * HTML that stands in a Markdown file, as the site has it: links as {@link siteLink} makes them, paths of pictures in the way
 * that the bundler knows. A `<picture>` follows the system; the site has a switch, so both pictures are there and the style shows one.
 */
export function siteHtml(file: string, html: string): string {
  return html
    .replace(/<picture>([^]*?)<\/picture>/g, (_, inner: string) => bothPictures(inner))
    .replace(/(?<=<a\b[^>]*\shref=")[^"]*/g, (href) => urlOf(siteLink(file, href)))
    .replace(/(?<=<img\b[^>]*\ssrc=")(?![a-z]+:|\.|\/)/g, './');
}

function bothPictures(inner: string): string {
  const dark = /<source\b[^>]*\ssrcset="([^"]*)"/.exec(inner)?.[1];
  const light = /<img\b[^>]*>/.exec(inner)?.[0];
  if (dark === undefined || light === undefined) {
    throw new Error(`Cannot show a picture without a dark source and an image: ${inner.trim()}`);
  }
  const lazy = light.replace('<img', '<img loading="lazy"');
  const image = (kind: string, text: string): string =>
    text.replace('<img', `<img class="${kind}"`);
  const darkImage = lazy.replace(/(?<=\ssrc=")[^"]*/, dark);
  return `<span class="picture">${image('in-light', lazy)}${image('in-dark', darkImage)}</span>`;
}

/** The address of a page, which the renderer would make by itself only for links in Markdown. */
function urlOf(link: string): string {
  if (!/^\/[^/]/.test(link)) return link;
  return (
    project.base +
    link
      .slice(1)
      .replace(/(^|\/)(?:index)?\.md(?=[?#]|$)/, '$1')
      .replace(/\.md(?=[?#]|$)/, '')
  );
}
