import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Playwright's launch options for the browser. */
export interface ChromiumLaunch {
  executablePath: string;
  args: string[];
  env?: Record<string, string>;
}

// The browser's own background work must not reach the network or a test's clock.
const args = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];

// The package's own configuration looks for fonts in /tmp. Without a font Chromium draws no text.
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">.</dir></fontconfig>
`;

/**
 * Returns the Chromium for tests: the lock file's, unpacked on first use (about five seconds), or the one that
 * `CHROMIUM_PATH` names. An installed Chromium is not used by default, so that tests do not depend on its version.
 * @throws Error when `CHROMIUM_PATH` names no file, or is not set on a machine that is not x64
 */
export async function findChromium(): Promise<ChromiumLaunch> {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (!existsSync(chosen)) throw new Error(`CHROMIUM_PATH names no file: ${chosen}`);
    return { executablePath: chosen, args };
  }
  if (process.arch !== 'x64') {
    throw new Error('The Chromium of the lock file is for x64: name an installed one in CHROMIUM_PATH.');
  }

  const folder = await unpackChromium();
  return {
    executablePath: join(folder, 'chromium'),
    args,
    env: {
      ...definedEnvironment(),
      // The package brings the libraries and the font that a machine without a desktop lacks.
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  };
}

async function unpackChromium(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  // Inside the package's folder: another version of the package unpacks again.
  const folder = join(dirname(entry), '..', 'unpacked');
  if (existsSync(folder)) return folder;
  const parent = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
  await mkdir(parent, { recursive: true });
  const unfinished = await mkdtemp(join(parent, 'chromium-'));
  // In a separate process: the package unpacks to the temporary folder and changes the environment when loaded.
  const code = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { ...definedEnvironment(), TMPDIR: unfinished, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
  });
  await writeFile(join(unfinished, 'fonts', 'fonts.conf'), fontConfiguration);
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another run has unpacked it meanwhile.
    if (!existsSync(folder)) throw error;
    await rm(unfinished, { recursive: true });
  }
  return folder;
}

function definedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}
