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
 * The pictures of each laptop as files: its own as far as they are taken, else the example that it shares.
 * @param folder where the pictures are, with a slash at the end
 */
export async function picturesOf(
  laptops: readonly Pick<DemoLaptop, 'name' | 'photo'>[],
  folder: URL = new URL('./photos/', import.meta.url),
): Promise<ReadonlyMap<string, readonly [URL, ...URL[]]>> {
  const taken = new Set(await readdir(folder));
  return new Map(
    laptops.map(({ name, photo }) => {
      const [first, ...others] = views
        .map((view) => `${slugOf(name)}-${view}.webp`)
        .filter((file) => taken.has(file))
        .map((file) => new URL(file, folder));
      return [name, [first ?? new URL(`./examples/${photo}.webp`, folder), ...others]];
    }),
  );
}

/** A picture that is always there. */
export const anyPicture = new URL('./photos/examples/open-grey.webp', import.meta.url);
