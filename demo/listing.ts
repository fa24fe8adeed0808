import { advertiseLaptop, listLaptop, listOwnLaptops } from '#contract/listings/catalogue.ts';
import type { Client } from '#contract/platform/client.ts';
import type { DemoSeller } from './accounts.ts';
import type { DemoLaptop } from './laptops/laptop.ts';
import { demoLaptops, postedTime } from './laptops.ts';
import { listPictures, uploadPhoto } from './pictures.ts';

/** The number of concurrent uploads: the image host's limit per seller, because one seller may own all of them. */
const CONCURRENT_UPLOADS = 2;

/** A demo seller with an authenticated client. */
export interface SellerClient {
  seller: DemoSeller;
  token: string;
  client: Client;
}

/** The seller of a laptop. @throws Error when none of these is it */
export function findOwner(laptop: DemoLaptop, sellers: readonly SellerClient[]): SellerClient {
  const owner = sellers.find(({ seller }) => seller.email === laptop.seller);
  if (owner === undefined) throw new Error(`${laptop.name} lacks a seller.`);
  return owner;
}

/** The photos of each laptop, by its name. */
export type UploadedPhotos = ReadonlyMap<string, readonly { url: string; caption: string | null }[]>;

/** Uploads each picture once, also if several laptops show it. @returns the photos of each laptop */
export async function uploadAll(
  sellers: readonly SellerClient[],
  host: { photosUrl: string; photoKey: string },
  { picturesFolder, signal }: { picturesFolder?: URL; signal?: AbortSignal },
): Promise<UploadedPhotos> {
  const pictures = await listPictures(demoLaptops, picturesFolder);
  const uploaded = new Map<string, string>();
  const owners = new Map(
    demoLaptops.toReversed().flatMap((laptop) => {
      const { token } = findOwner(laptop, sellers);
      return (pictures.get(laptop.name) ?? []).map(({ file }) => [file.href, token] as const);
    }),
  );
  const queue = owners.entries();
  const uploadFromQueue = async () => {
    for (const [file, token] of queue) {
      signal?.throwIfAborted();
      uploaded.set(file, await uploadPhoto(new URL(file), { ...host, token }));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, uploadFromQueue));
  return new Map(
    demoLaptops.map(({ name }) => [
      name,
      (pictures.get(name) ?? []).map(({ file, caption }) => ({
        url: uploaded.get(file.href) ?? '',
        caption,
      })),
    ]),
  );
}

/**
 * Lists laptops one after another, because the shop orders them by creation, unless their sellers have listed them.
 * @returns the ids of all laptops of these sellers, by their names
 */
export async function listLaptops(
  sellers: readonly SellerClient[],
  [laptops, photos]: readonly [laptops: readonly DemoLaptop[], photos: UploadedPhotos],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const now = new Date();
  const listed = new Map<string, string>();
  for (const { client } of sellers) {
    const own = await client.call(listOwnLaptops, { query: {} });
    for (const laptop of own) listed.set(laptop.name, laptop._id);
  }
  for (const laptop of laptops) {
    signal?.throwIfAborted();
    const { seller, client } = findOwner(laptop, sellers);
    const own = photos.get(laptop.name) ?? photos.get(laptop.photosOf ?? '') ?? [];
    const images = own.map(({ url }) => url);
    let id = listed.get(laptop.name);
    if (id === undefined) {
      const body = {
        category_Id: laptop.brand,
        name: laptop.name,
        location: seller.location,
        delivery: seller.delivery,
        image: images[0] ?? '',
        images,
        captions: Object.fromEntries(
          own.flatMap(({ url, caption }) => (caption === null ? [] : [[url, caption]])),
        ),
        description: { ...laptop.configuration, Notes: laptop.notes },
        original_price: laptop.originalPrice,
        resale_price: laptop.resalePrice,
        posted_time: postedTime(laptop, now),
        use_time: laptop.useTime,
        mobile_number: seller.mobileNumber,
        condition: laptop.condition,
      };
      id = (await client.call(listLaptop, { body })).insertedId;
      listed.set(laptop.name, id);
    }
    if (laptop.advertised) await client.call(advertiseLaptop, { params: { _id: id } });
  }
  return listed;
}
