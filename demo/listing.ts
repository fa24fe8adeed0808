import { createLaptopDraft } from '#contract/certification/laptop-drafts.ts';
import { advertiseLaptop, listLaptop, listOwnLaptops } from '#contract/listings/catalogue.ts';
import type { Client } from '#contract/platform/client.ts';
import type { DemoSeller } from './accounts.ts';
import { type DemoLaptop, demoLaptops, postedTime } from './laptops.ts';
import { listPictures, type Picture, uploadPhoto } from './pictures.ts';
import { writeOnSlip } from './slip.ts';

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

interface UploadedPhoto extends Omit<Picture, 'file'> {
  url: string;
}

/** What the photos of the demo's laptops are. */
export interface DemoPhotos {
  /** Uploads a picture. */
  upload: (
    token: string,
    ...picture: [file: URL, edit?: (content: Buffer) => Promise<Buffer>]
  ) => Promise<string>;
  /** The photos of each laptop, by its name, that are uploaded before it is listed. */
  uploaded: ReadonlyMap<string, readonly UploadedPhoto[]>;
  /** The picture of a laptop with an empty slip of paper, on which its code is written when it is listed. */
  slips: ReadonlyMap<string, URL>;
}

/** Uploads each picture once, also if several laptops show it, but not those of slips. */
export async function uploadAll(
  sellers: readonly SellerClient[],
  host: { photosUrl: string; photoKey: string },
  { picturesFolder, signal }: { picturesFolder?: URL; signal?: AbortSignal },
): Promise<DemoPhotos> {
  const pictures = await listPictures(demoLaptops, picturesFolder);
  const upload: DemoPhotos['upload'] = (token, file, edit) => uploadPhoto(file, { ...host, token }, edit);
  const own = demoLaptops.map((laptop) => ({
    laptop,
    token: findOwner(laptop, sellers).token,
    pictures: pictures.get(laptop.name)?.filter(({ kind }) => kind !== 'slip') ?? [],
  }));
  const urls = new Map<string, string>();
  const queue = new Map(
    own
      .toReversed()
      .flatMap(({ token, pictures }) => pictures.map(({ file }) => [file.href, token] as const)),
  ).entries();
  const uploadFromQueue = async () => {
    for (const [file, token] of queue) {
      signal?.throwIfAborted();
      urls.set(file, await upload(token, new URL(file)));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, uploadFromQueue));
  const uploaded = new Map(
    own.map(({ laptop, pictures }) => [
      laptop.name,
      pictures.map(({ file, ...picture }) => ({ ...picture, url: urls.get(file.href) ?? '' })),
    ]),
  );
  const slips = new Map(
    [...pictures].flatMap(([name, own]) =>
      own.flatMap(({ kind, file }) => (kind === 'slip' ? [[name, file] as const] : [])),
    ),
  );
  return { upload, uploaded, slips };
}

/** Lets the shop choose a code and photographs the slip with it. @returns the draft that has the code, and the photo */
async function photographSlip(
  { client, token }: SellerClient,
  upload: DemoPhotos['upload'],
  slip: URL,
): Promise<{ draftId: string; photo: UploadedPhoto }> {
  const { insertedId, slipCode } = await client.call(createLaptopDraft, {});
  const url = await upload(token, slip, (picture) => writeOnSlip(picture, slipCode));
  return { draftId: insertedId, photo: { url, caption: null, kind: 'slip' } };
}

/** A value of each photo that has one, by the photos' URLs. */
const byUrl = <Key extends 'caption' | 'kind'>(photos: readonly UploadedPhoto[], key: Key) =>
  Object.fromEntries(
    photos.flatMap(({ url, [key]: value }) => (value === null ? [] : [[url, value] as const])),
  );

/**
 * Lists laptops one after another, because the shop orders them by creation, unless their sellers have listed them.
 * @returns the ids of all laptops of these sellers, by their names
 */
export async function listLaptops(
  sellers: readonly SellerClient[],
  [laptops, { upload, uploaded, slips }]: readonly [laptops: readonly DemoLaptop[], photos: DemoPhotos],
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
    const owner = findOwner(laptop, sellers);
    const { seller, client } = owner;
    let id = listed.get(laptop.name);
    if (id === undefined) {
      const slip = slips.get(laptop.name);
      const photographed = slip === undefined ? undefined : await photographSlip(owner, upload, slip);
      const own = [
        ...(uploaded.get(laptop.name) ?? uploaded.get(laptop.photosOf ?? '') ?? []),
        ...(photographed ? [photographed.photo] : []),
      ];
      const images = own.map(({ url }) => url);
      const body = {
        category_Id: laptop.brand,
        name: laptop.name,
        location: seller.location,
        delivery: seller.delivery,
        image: images[0] ?? '',
        images,
        captions: byUrl(own, 'caption'),
        kinds: byUrl(own, 'kind'),
        ...(photographed && { draftId: photographed.draftId }),
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
