import { readdir } from 'node:fs/promises';
import type { DemoLaptop } from './laptops/laptop.ts';

/** The views of a laptop that the studio takes, in the order in which a shop shows them. */
const views = ['open', 'closed', 'keys'] as const;

/** A laptop's name as its pictures have it. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * The pictures of each laptop as files, as far as they are taken.
 * @param folder where the pictures are, with a slash at the end
 * @throws when a laptop has none
 */
export async function picturesOf(
  laptops: readonly Pick<DemoLaptop, 'name'>[],
  folder: URL = new URL('./photos/', import.meta.url),
): Promise<ReadonlyMap<string, readonly [URL, ...URL[]]>> {
  const taken = new Set(await readdir(folder));
  return new Map(
    laptops.map(({ name }) => {
      const [first, ...others] = views
        .map((view) => `${slugOf(name)}-${view}.webp`)
        .filter((file) => taken.has(file))
        .map((file) => new URL(file, folder));
      if (first === undefined)
        throw new Error(`No picture of the ${name} was taken (demo/photos/README.md).`);
      return [name, [first, ...others]];
    }),
  );
}

/** A picture that is always there. */
export const anyPicture = new URL('./photos/dell-latitude-7420-open.webp', import.meta.url);
