import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { project } from './project.ts';
import { siteLink } from './site-link.ts';

/** Of a picture that can be read on a phone as a whole. */
const NARROW = 560;

/**
 * HTML that stands in a Markdown file, as the site has it: links as {@link siteLink} makes them, paths of pictures in the way
 * that the bundler knows. A `<picture>` follows the system; the site has a switch, so both pictures are there and the style shows one.
 */
export function siteHtml(file: string, html: string): string {
  return html
    .replace(/<picture>([^]*?)<\/picture>/g, (_, inner: string) => bothPictures(file, inner))
    .replace(/(?<=<a\b[^>]*\shref=")[^"]*/g, (href) => urlOf(siteLink(file, href)))
    .replace(/(?<=<img\b[^>]*\ssrc=")(?![a-z]+:|\.|\/)/g, './');
}

function bothPictures(file: string, inner: string): string {
  const dark = /<source\b[^>]*\ssrcset="([^"]*)"/.exec(inner)?.[1];
  const light = /<img\b[^>]*>/.exec(inner)?.[0];
  const source = /\ssrc="([^"]*)"/.exec(light ?? '')?.[1];
  if (dark === undefined || light === undefined || source === undefined) {
    throw new Error(`Cannot show a picture without a dark source and an image: ${inner.trim()}`);
  }
  const { width, height } = sizeOf(posix.join(posix.dirname(file), source));
  const image = (name: string, src: string): string =>
    light
      .replace(/\s(?:src|width|height)="[^"]*"/g, '')
      .replace('<img', `<img class="${name}" loading="lazy" width="${width}" height="${height}"`)
      .replace(/\s*\/?>$/, ` src="${src}">`);
  // What is wider than a phone moves sideways there, by the keyboard as well.
  const open =
    width > NARROW ? '<span class="picture wide" tabindex="0">' : '<span class="picture">';
  return `${open}${image('in-light', source)}${image('in-dark', dark)}</span>`;
}

/** The size that a drawing says it has. */
function sizeOf(svg: string): { width: number; height: number } {
  const [head = ''] = /<svg [^>]*>/.exec(readFileSync(svg, 'utf8')) ?? [];
  const [width, height] = ['width', 'height'].map((name) =>
    Number(new RegExp(`\\s${name}="(\\d+)"`).exec(head)?.[1]),
  );
  if (!width || !height)
    throw new Error(`Cannot tell the size of ${svg}: it has no width and height`);
  return { width, height };
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
