import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => String.fromCodePoint(first + place)).join('');

/** What the pages are written in: English, the letters of western Europe's names, and the marks around them. */
const characters = `${from(0x20, 0x7e)}${from(0xc0, 0xff)}ıŒœ\u00a0\u202f¡¿«»·°²½µ®©×–—‘’‚“”„•…‹›€™−→`;

/** Kerning, accents in their place, and figures of one width; alternates and ligatures that no page asks for go. */
const features = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum', 'lnum'];

/** The faces of the first paint, each with the weights that the pages use. */
const faces = [
  {
    file: '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
    weights: { min: 600, max: 800 },
  },
  {
    file: '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
    weights: { min: 400, max: 700 },
  },
] as const;

/**
 * Cuts the faces down to what the pages need, once for each version of font and recipe.
 * @param folder keeps the results
 * @returns aliases for Vite that put them in the place of the packages' files
 */
export async function subsetFonts(folder: string): Promise<{ find: RegExp; replacement: string }[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    faces.map(async ({ file, weights }) => {
      const font = await readFile(require.resolve(file));
      const recipe = JSON.stringify([characters, features, weights]);
      const hash = createHash('sha256').update(recipe).update(font).digest('hex').slice(0, 16);
      const name = file.slice(file.lastIndexOf('/') + 1).replace('.woff2', `-${hash}.woff2`);
      const replacement = join(folder, name);
      const known = await readFile(replacement).catch(() => null);
      if (known === null) {
        const cut = await subsetFont(font, characters, {
          targetFormat: 'woff2',
          keepFeatures: features,
          variationAxes: { wght: weights },
        });
        // Another build may be at it too: a file is there whole or not at all.
        const unfinished = `${replacement}.${process.pid}`;
        await writeFile(unfinished, cut);
        await rename(unfinished, replacement);
      }
      // Also where a query follows: `?url`.
      return { find: new RegExp(`^${file.replaceAll('.', '\\.')}(?=\\?|$)`), replacement };
    }),
  );
}
