import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';
import { findOnPath } from '../../../services/src/process/find-on-path.ts';

/** What the Chromium among the dependencies needs of a system, which a small one does not have: NSS and Expat. */
const libraries = fileURLToPath(
  new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')),
);
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
    setupLambdaEnvironment(join(await inflate(libraries), 'lib'));
    return launch(await chromium.executablePath(), chromium.args);
  }
  const found = names.map((name) => findOnPath(name)).find((path) => path !== undefined);
  if (found !== undefined) return launchAsFound(found);
  throw new Error(
    `Cannot find a Chromium: set ${variable} to its path, or install it so that ${names.join(' or ')} is on PATH`,
  );
}

/** Nothing but our own pages is opened, so that root, whom Chromium gives no sandbox, goes without one. */
function launchAsFound(path: string): Promise<Browser> {
  return launch(path, process.getuid?.() === 0 ? ['--no-sandbox'] : []);
}

async function launch(executablePath: string, args: string[]): Promise<Browser> {
  try {
    return await puppeteer.launch({ executablePath, args, headless: 'shell' });
  } catch (cause) {
    throw new Error(
      `Cannot start the Chromium at ${executablePath}: set ${variable} to the path of one that starts here`,
      { cause },
    );
  }
}
