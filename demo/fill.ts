import {
  advertiseLaptop,
  listBrands,
  listCategory,
  listLaptop,
  listOwnLaptops,
} from '#contract/catalogue.ts';
import { type Client, Problem } from '#contract/client.ts';
import { verifySeller } from '#contract/people.ts';
import { type DemoSeller, demoAdmin, demoBuyer, demoPassword, demoSellers } from './accounts.ts';
import type { DemoLaptop } from './laptops/laptop.ts';
import { demoLaptops, postedTime } from './laptops.ts';
import { inspectLaptops, measureLaptops } from './measure.ts';
import { listPictures, uploadPhoto } from './pictures.ts';
import {
  createShopClient,
  createUserRecord,
  exchangeForShopToken,
  type ShopUrls,
  signIn,
} from './sign-in.ts';

export { demoAccountLines, demoAccounts, demoPassword } from './accounts.ts';

export interface FillOptions {
  /** The origin of the shop, without a trailing slash. */
  origin: string;
  /** The URL of the identity provider. By default below the origin. */
  identityUrl?: string;
  /** The upload URL of the image host. By default below the origin. */
  photosUrl?: string;
  /** The mail catcher, which receives the verification e-mails. Without it, addresses stay unverified. */
  inboxUrl?: string;
  /** The query of the upload URL. */
  photoKey: string;
  /** The folder of the pictures, with a trailing slash. By default the demo's own. */
  picturesFolder?: URL;
  /** Makes a user an admin, which no API call does. */
  grantAdmin(email: string): Promise<void>;
  /** Logs a line for the operator. */
  log?(line: string): void;
  /** Aborts between two steps. The next run completes the demo data. */
  signal?: AbortSignal;
}

/** The number of concurrent uploads: the image host's limit per seller, because one seller may own all of them. */
const CONCURRENT_UPLOADS = 2;

const runningFills = new Map<string, Promise<void>>();

/**
 * Fills an empty shop with demo data through the API: accounts, laptops and advertisements. Completes the data if an
 * earlier run was aborted. Does nothing if they are complete, or if the shop has laptops of other sellers. A second call
 * for the same shop in this process waits for the first.
 * @throws Error or Problem if the shop, the identity provider or the image host rejects a step; the reason of `signal`
 */
export function fillShop(options: FillOptions): Promise<void> {
  const running = runningFills.get(options.origin);
  if (running !== undefined) return running;
  const filling = fill(options).finally(() => runningFills.delete(options.origin));
  runningFills.set(options.origin, filling);
  return filling;
}

async function fill(options: FillOptions): Promise<void> {
  const { origin, photoKey, signal, log = () => undefined } = options;
  const urls: ShopUrls = {
    origin,
    identityUrl: options.identityUrl ?? `${origin}/identity`,
    ...(options.inboxUrl !== undefined && { inboxUrl: options.inboxUrl }),
  };
  const photosUrl = options.photosUrl ?? `${origin}/photos`;
  if (await hasOtherSellers(urls)) return;
  await using sessions = new AsyncDisposableStack();
  const signInAs: SignInAs = async (account) =>
    sessions.use(await signIn(urls, account, demoPassword)).idToken;
  const buyerIdToken = await signInUnregisteredBuyer(urls, signInAs);
  if (buyerIdToken === null) return;
  signal?.throwIfAborted();

  const started = Date.now();
  log(`Filling the shop with ${demoLaptops.length} laptops …`);
  const sellers = await Promise.all(demoSellers.map((seller) => connectSeller(urls, signInAs, seller)));
  const [photos, admin] = await Promise.all([
    uploadAll(sellers, { photosUrl, photoKey }, options),
    verifySellers(urls, signInAs, options),
  ]);
  await listLaptops(sellers, photos, signal);
  for (const { client } of sellers) {
    await measureLaptops(client);
    await inspectLaptops(admin, client);
  }
  // Last, because this user record marks the demo data as complete.
  await createUserRecord(urls, demoBuyer, demoBuyer.role, buyerIdToken);
  log(`Filled it in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** Signs in a demo account; the session ends when the demo data are complete. @returns the ID token @throws Problem */
type SignInAs = (account: { name: string; email: string }) => Promise<string>;

/** Whether the shop has laptops of other sellers than the demo's. */
async function hasOtherSellers(urls: ShopUrls): Promise<boolean> {
  const visitor = createShopClient(urls, null);
  const brands = await visitor.call(listBrands, {});
  // One more than the demo shop has: a list of this length contains a laptop of another seller.
  const query = { limit: demoLaptops.length + 1 };
  const lists = await Promise.all(
    brands.map(({ category_Id: id }) => visitor.call(listCategory, { params: { id }, query })),
  );
  const names = new Set<string>(demoSellers.map(({ name }) => name));
  return lists.flat().some((laptop) => !names.has(laptop.sellers_name));
}

const isProblem = (error: unknown, ...codes: string[]) =>
  error instanceof Problem && codes.includes(error.code);

/** Signs in the buyer, whose user record is created last. @returns the ID token; null if the demo data are complete */
async function signInUnregisteredBuyer(urls: ShopUrls, signInAs: SignInAs): Promise<string | null> {
  try {
    const idToken = await signInAs(demoBuyer);
    return await exchangeForShopToken(urls, demoBuyer, idToken).then(
      () => null,
      (error: unknown) => {
        if (isProblem(error, 'not_allowed')) return idToken;
        throw error;
      },
    );
  } catch (error) {
    // The account was deleted or has another password, so the demo data were complete before.
    if (isProblem(error, 'account_ended', 'user_disabled', 'invalid_credential')) return null;
    throw error;
  }
}

/** A demo seller with an authenticated client. */
interface SellerClient {
  seller: DemoSeller;
  token: string;
  client: Client;
}

async function connectSeller(urls: ShopUrls, signInAs: SignInAs, seller: DemoSeller): Promise<SellerClient> {
  const idToken = await signInAs(seller);
  await createUserRecord(urls, seller, seller.role, idToken);
  const token = await exchangeForShopToken(urls, seller, idToken);
  return { seller, token, client: createShopClient(urls, token) };
}

function findOwner(laptop: DemoLaptop, sellers: readonly SellerClient[]): SellerClient {
  const owner = sellers.find(({ seller }) => seller.email === laptop.seller);
  if (owner === undefined) throw new Error(`${laptop.name} lacks a seller.`);
  return owner;
}

/** The photos of each laptop, by its name. */
type UploadedPhotos = ReadonlyMap<string, readonly { url: string; caption: string | null }[]>;

/** Uploads each picture once, also if several laptops show it. @returns the photos of each laptop */
async function uploadAll(
  sellers: readonly SellerClient[],
  host: { photosUrl: string; photoKey: string },
  { picturesFolder, signal }: Pick<FillOptions, 'picturesFolder' | 'signal'>,
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

/** @returns the admin's client */
async function verifySellers(
  urls: ShopUrls,
  signInAs: SignInAs,
  { grantAdmin }: FillOptions,
): Promise<Client> {
  const idToken = await signInAs(demoAdmin);
  await createUserRecord(urls, demoAdmin, 'Buyer', idToken);
  await grantAdmin(demoAdmin.email);
  const client = createShopClient(urls, await exchangeForShopToken(urls, demoAdmin, idToken));
  for (const { email, verified } of demoSellers) {
    if (verified) await client.call(verifySeller, { params: { email } });
  }
  return client;
}

/** Lists the laptops one after another, because the shop orders them by creation. */
async function listLaptops(
  sellers: readonly SellerClient[],
  photos: UploadedPhotos,
  signal: AbortSignal | undefined,
): Promise<void> {
  const now = new Date();
  const listed = new Map<string, string>();
  for (const { client } of sellers) {
    const own = await client.call(listOwnLaptops, { query: {} });
    for (const laptop of own) listed.set(laptop.name, laptop._id);
  }
  for (const laptop of demoLaptops) {
    signal?.throwIfAborted();
    const { seller, client } = findOwner(laptop, sellers);
    const own = photos.get(laptop.name) ?? [];
    const images = own.map(({ url }) => url);
    let id = listed.get(laptop.name);
    if (id === undefined) {
      const body = {
        category_Id: laptop.brand,
        name: laptop.name,
        location: seller.location,
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
    }
    if (laptop.advertised) await client.call(advertiseLaptop, { params: { _id: id } });
  }
}
