import { readdir } from 'node:fs/promises';
import type { DemoLaptop } from './laptops/laptop.ts';

/** The views of a laptop, in the order of its photos. */
const views = ['open', 'closed', 'keys'] as const;

/** Returns a laptop's part of the picture file names: its name in kebab-case. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * Returns the existing picture files of each laptop.
 * @param folder the folder of the pictures, with a trailing slash
 * @throws if a laptop has none
 */
export async function listPictures(
  laptops: readonly Pick<DemoLaptop, 'name'>[],
  folder: URL = new URL('./photos/', import.meta.url),
): Promise<ReadonlyMap<string, readonly [URL, ...URL[]]>> {
  const files = new Set(await readdir(folder));
  return new Map(
    laptops.map(({ name }) => {
      const [first, ...others] = views
        .map((view) => `${slugOf(name)}-${view}.webp`)
        .filter((file) => files.has(file))
        .map((file) => new URL(file, folder));
      if (first === undefined)
        throw new Error(`No picture of the ${name} was found (demo/photos/README.md).`);
      return [name, [first, ...others]];
    }),
  );
}

/** A picture for tests that need any one. */
export const samplePicture = new URL('./photos/dell-latitude-7420-open.webp', import.meta.url);
