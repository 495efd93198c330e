import chromium, { inflate } from '@sparticuz/chromium';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';
import { findOnPath } from '../../../services/src/process/find-on-path.ts';

const variable = 'SITE_CHROMIUM';
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/**
 * Starts a headless Chromium: the one that the environment names, the one among the dependencies, which is for Linux on x64,
 * or one on PATH.
 *
 * @throws {Error} When there is none, or it does not start.
 */
export async function openBrowser(): Promise<Browser> {
  const named = process.env[variable];
  if (named !== undefined) return launchAsFound(named);
  if (process.platform === 'linux' && process.arch === 'x64') {
    return launch(await chromium.executablePath(), chromium.args, await smallSystem());
  }
  const found = names.map((name) => findOnPath(name)).find((path) => path !== undefined);
  if (found !== undefined) return launchAsFound(found);
  throw new Error(
    `Cannot find a Chromium: set ${variable} to its path, or install it so that ${names.join(' or ')} is on PATH`,
  );
}

/**
 * What the Chromium among the dependencies needs, and a small system does not have: NSS and Expat, which come with it as well as
 * fonts. Fonts are the system's where it has any: those that come along have none of fixed width.
 */
async function smallSystem(): Promise<NodeJS.ProcessEnv> {
  const bundle = new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'));
  const libraries = join(await inflate(fileURLToPath(bundle)), 'lib');
  const hasFonts = existsSync('/etc/fonts/fonts.conf');
  const fonts = hasFonts ? {} : { FONTCONFIG_PATH: join(tmpdir(), 'fonts') };
  return { ...fonts, LD_LIBRARY_PATH: libraries };
}

/** Nothing but our own pages is opened, so that root, whom Chromium gives no sandbox, goes without one. */
function launchAsFound(path: string): Promise<Browser> {
  return launch(path, process.getuid?.() === 0 ? ['--no-sandbox'] : []);
}

async function launch(
  executablePath: string,
  args: string[],
  more: NodeJS.ProcessEnv = {},
): Promise<Browser> {
  try {
    const env = { ...process.env, ...more };
    return await puppeteer.launch({ executablePath, args, env, headless: 'shell' });
  } catch (cause) {
    throw new Error(
      `Cannot start the Chromium at ${executablePath}: set ${variable} to the path of one that starts here`,
      { cause },
    );
  }
}
