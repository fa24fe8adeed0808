import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { PhotoKind } from '#contract/listings/photo-kinds.ts';
import { PHOTO_FIELD, PhotoUploaded } from '#contract/listings/photos.ts';
import type { DemoLaptop } from './laptops.ts';

/** The views of a laptop in the order of its photos, with the guided photo that each is. `off` is the open laptop, switched off. */
const views = {
  open: 'on',
  off: null,
  closed: 'lid',
  keys: 'keyboard',
  ports: 'ports',
  underside: 'underside',
} as const satisfies Record<string, PhotoKind | null>;

/** The views that the shop takes of a laptop on its inspection desk. */
const shopViews = ['hand', 'bench'] as const;

/** A picture file, the caption of its photo, and the guided photo that it is. */
export interface Picture {
  file: URL;
  caption: string | null;
  kind: PhotoKind | null;
}

/** The folder of the demo's pictures. */
const ownFolder = new URL('./photos/', import.meta.url);

/** Returns a laptop's part of the picture file names: its name in kebab-case. */
function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const fileOf = (name: string, view: string) => `${slugOf(name)}-${view}.webp`;

/**
 * Returns the pictures of each laptop, of which the first is its main photo: its views, its flaws, the slip. A flaw is
 * shown only if the laptop names it.
 * @param folder the folder of the pictures, with a trailing slash
 * @throws if a laptop has no picture
 */
export async function listPictures(
  laptops: readonly { name: string; flaws?: DemoLaptop['flaws'] }[],
  folder: URL = ownFolder,
): Promise<ReadonlyMap<string, readonly [Picture, ...Picture[]]>> {
  const files = new Set(await readdir(folder));
  return new Map(
    laptops.map(({ name, flaws = {} }) => {
      const wanted = [
        ...Object.entries(views).map(([view, kind]) => ({ view, caption: null, kind })),
        ...Object.entries(flaws).flatMap(([view, caption]) =>
          caption === undefined ? [] : [{ view, caption, kind: 'marks' as const }],
        ),
        { view: 'slip', caption: null, kind: 'slip' as const },
      ];
      const [first, ...others] = wanted
        .map(({ view, ...picture }) => ({ name: fileOf(name, view), picture }))
        .filter((each) => files.has(each.name))
        .map((each) => ({ file: new URL(each.name, folder), ...each.picture }));
      if (first === undefined)
        throw new Error(`No picture of the ${name} was found (demo/photos/README.md).`);
      return [name, [first, ...others]];
    }),
  );
}

/** The pictures that the shop takes of a laptop in hand. */
export const shopPictures = ({ name }: { name: string }): URL[] =>
  shopViews.map((view) => new URL(fileOf(name, view), ownFolder));

/** A picture for tests that need any one. */
export const samplePicture = new URL('./photos/dell-latitude-7420-open.webp', import.meta.url);

/**
 * Uploads a picture.
 * @param edit changes it before
 * @returns its URL at the image host
 * @throws Error if the host rejects it
 */
export async function uploadPhoto(
  picture: URL,
  host: { photosUrl: string; photoKey: string; token: string },
  edit = async (content: Buffer) => content,
): Promise<string> {
  const name = basename(picture.pathname);
  const body = new FormData();
  body.set(
    PHOTO_FIELD,
    new Blob([new Uint8Array(await edit(await readFile(picture)))], { type: 'image/webp' }),
    name,
  );
  const response = await fetch(`${host.photosUrl}?key=${encodeURIComponent(host.photoKey)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.token}` },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  const uploaded = PhotoUploaded.safeParse(await response.json().catch(() => null));
  if (!response.ok || !uploaded.success) {
    throw new Error(`The image host did not take the picture ${name} (${response.status}).`);
  }
  return uploaded.data.data.url;
}
