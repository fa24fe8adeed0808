import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);

const characterRange = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, offset) => String.fromCodePoint(first + offset)).join('');

/** The characters to keep: ASCII, Latin-1 letters, and typographic marks. */
const characters = `${characterRange(0x20, 0x7e)}${characterRange(0xc0, 0xff)}ıŒœ\u00a0\u202f¡¿«»·°²½µ®©×–—‘’‚“”„•…‹›€™−→`;

/** The OpenType features to keep: kerning, marks and tabular figures. */
const features = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum', 'lnum'];

/** The fonts, with the range of weights that the pages use. The last one is only for code in written pages. */
const faces = [
  {
    file: '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
    weights: { min: 600, max: 800 },
  },
  {
    file: '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
    weights: { min: 400, max: 700 },
  },
  {
    file: '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
    weights: { min: 400, max: 600 },
  },
] as const;

/**
 * Subsets the fonts. A result is cached by the hash of font and settings.
 * @param folder the cache folder
 * @returns Vite aliases from the packages' files to the subsets
 */
export async function subsetFonts(folder: string): Promise<{ find: RegExp; replacement: string }[]> {
  await mkdir(folder, { recursive: true });
  return Promise.all(
    faces.map(async ({ file, weights }) => {
      const font = await readFile(require.resolve(file));
      const settings = JSON.stringify([characters, features, weights]);
      const hash = createHash('sha256').update(settings).update(font).digest('hex').slice(0, 16);
      const name = file.slice(file.lastIndexOf('/') + 1).replace('.woff2', `-${hash}.woff2`);
      const replacement = join(folder, name);
      const cached = await readFile(replacement).catch(() => null);
      if (cached === null) {
        const subset = await subsetFont(font, characters, {
          targetFormat: 'woff2',
          keepFeatures: features,
          variationAxes: { wght: weights },
        });
        // A concurrent build may write the same file, so it is renamed into place.
        const unfinished = `${replacement}.${process.pid}`;
        await writeFile(unfinished, subset);
        await rename(unfinished, replacement);
      }
      // The import may have a query, such as `?url`.
      return { find: new RegExp(`^${file.replaceAll('.', '\\.')}(?=\\?|$)`), replacement };
    }),
  );
}
