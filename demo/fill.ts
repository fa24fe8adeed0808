import {
  advertiseLaptop,
  listBrands,
  listCategory,
  listLaptop,
  listOwnLaptops,
} from '#contract/catalogue.ts';
import { type Client, Problem } from '#contract/client.ts';
import { verifySeller } from '#contract/people.ts';
import {
  type DemoSeller,
  demoAccounts,
  demoAdmin,
  demoBuyer,
  demoPassword,
  demoSellers,
} from './accounts.ts';
import type { DemoLaptop } from './laptops/laptop.ts';
import { demoLaptops, postedTime } from './laptops.ts';
import { uploadPhoto } from './photo-upload.ts';
import { picturesOf } from './pictures.ts';
import { callsOf, type Place, register, shopToken, signIn } from './sign-in.ts';

export { demoAccounts, demoPassword } from './accounts.ts';

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
  /** Makes a user an admin, which no API call does. */
  grantAdmin(email: string): Promise<void>;
  /** Logs a line for the operator. */
  log?(line: string): void;
  /** Aborts between two steps. The next run completes the demo data. */
  halt?: AbortSignal;
}

/** Returns the lines for the terminal that list the demo accounts. */
export const demoNotes: readonly string[] = [
  `Demo accounts, each with the password ${demoPassword}:`,
  ...demoAccounts.map(({ email, role, name }) => `  ${email.padEnd(32)}${role.padEnd(8)}${name}`),
];

/** Concurrent uploads: the image host's limit for one seller, because all may be of the same seller. */
const UPLOADS_AT_ONCE = 2;

const underWay = new Map<string, Promise<void>>();

/**
 * Fills an empty shop with demo data through the API: accounts, laptops and advertisements. Completes the data if an
 * earlier run was aborted. Does nothing if they are complete, or if the shop has laptops of other sellers. A second call
 * for the same shop in this process waits for the first.
 * @throws Error or Problem if the shop, the identity provider or the image host rejects a step; the reason of `halt`
 */
export function fillShop(options: FillOptions): Promise<void> {
  const running = underWay.get(options.origin);
  if (running !== undefined) return running;
  const filling = fill(options).finally(() => underWay.delete(options.origin));
  underWay.set(options.origin, filling);
  return filling;
}

async function fill(options: FillOptions): Promise<void> {
  const { origin, photoKey, halt, log = () => undefined } = options;
  const place: Place = {
    origin,
    identityUrl: options.identityUrl ?? `${origin}/identity`,
    ...(options.inboxUrl !== undefined && { inboxUrl: options.inboxUrl }),
  };
  const photosUrl = options.photosUrl ?? `${origin}/photos`;
  if (await sellsOtherThings(place)) return;
  await using signedIn = new AsyncDisposableStack();
  const enter: Enter = async (account) => signedIn.use(await signIn(place, account, demoPassword)).idToken;
  const unfinished = await beginOrResume(place, enter);
  if (unfinished === null) return;
  halt?.throwIfAborted();

  const started = Date.now();
  log(`Filling the shop with ${demoLaptops.length} laptops …`);
  const sellers = await Promise.all(demoSellers.map((seller) => open(place, enter, seller)));
  const [photos] = await Promise.all([
    uploadAll(sellers, { photosUrl, photoKey }, halt),
    verifySellers(place, enter, options),
  ]);
  await listLaptops(sellers, photos, halt);
  // Last, because this user record marks the demo data as complete.
  await register(place, demoBuyer, demoBuyer.role, unfinished);
  log(`Filled it in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** Signs in a demo account until all is created. @returns the ID token @throws Problem */
type Enter = (account: { name: string; email: string }) => Promise<string>;

/** Whether the shop has laptops of other sellers than the demo's. */
async function sellsOtherThings(place: Place): Promise<boolean> {
  const visitor = callsOf(place, null);
  const brands = await visitor.call(listBrands, {});
  // One more than the demo has: a list of this length contains a laptop of another seller.
  const query = { limit: demoLaptops.length + 1 };
  const shelves = await Promise.all(
    brands.map(({ category_Id: id }) => visitor.call(listCategory, { params: { id }, query })),
  );
  const names = new Set<string>(demoSellers.map(({ name }) => name));
  return shelves.flat().some((laptop) => !names.has(laptop.sellers_name));
}

const isProblem = (error: unknown, ...codes: string[]) =>
  error instanceof Problem && codes.includes(error.code);

/** @returns the ID token of the buyer, whose user record is created last; null if it exists, so all is complete */
async function beginOrResume(place: Place, enter: Enter): Promise<string | null> {
  try {
    const idToken = await enter(demoBuyer);
    return await shopToken(place, demoBuyer, idToken).then(
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
interface OpenSeller {
  seller: DemoSeller;
  token: string;
  calls: Client;
}

async function open(place: Place, enter: Enter, seller: DemoSeller): Promise<OpenSeller> {
  const idToken = await enter(seller);
  await register(place, seller, seller.role, idToken);
  const token = await shopToken(place, seller, idToken);
  return { seller, token, calls: callsOf(place, token) };
}

function ownerOf(laptop: DemoLaptop, sellers: readonly OpenSeller[]): OpenSeller {
  const owner = sellers.find(({ seller }) => seller.email === laptop.seller);
  if (owner === undefined) throw new Error(`${laptop.name} lacks a seller.`);
  return owner;
}

/** @returns the URLs of each laptop's photos by its name */
async function uploadAll(
  sellers: readonly OpenSeller[],
  host: { photosUrl: string; photoKey: string },
  halt: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const pictures = await picturesOf(demoLaptops);
  const uploaded = new Map<string, readonly string[]>();
  const waiting = demoLaptops.values();
  const work = async () => {
    for (const laptop of waiting) {
      const { token } = ownerOf(laptop, sellers);
      const urls: string[] = [];
      for (const picture of pictures.get(laptop.name) ?? []) {
        halt?.throwIfAborted();
        urls.push(await uploadPhoto(picture, { ...host, token }));
      }
      uploaded.set(laptop.name, urls);
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, work));
  return uploaded;
}

async function verifySellers(place: Place, enter: Enter, { grantAdmin }: FillOptions): Promise<void> {
  const idToken = await enter(demoAdmin);
  await register(place, demoAdmin, 'Buyer', idToken);
  await grantAdmin(demoAdmin.email);
  const calls = callsOf(place, await shopToken(place, demoAdmin, idToken));
  for (const { email, verified } of demoSellers) {
    if (verified) await calls.call(verifySeller, { params: { email } });
  }
}

/** Lists the laptops in sequence, so that lists, which are ordered newest first, agree with their times. */
async function listLaptops(
  sellers: readonly OpenSeller[],
  photos: ReadonlyMap<string, readonly string[]>,
  halt: AbortSignal | undefined,
): Promise<void> {
  const now = new Date();
  const listed = new Map<string, string>();
  for (const { calls } of sellers) {
    for (const laptop of await calls.call(listOwnLaptops, { query: {} })) listed.set(laptop.name, laptop._id);
  }
  for (const laptop of demoLaptops) {
    halt?.throwIfAborted();
    const { seller, calls } = ownerOf(laptop, sellers);
    const images = [...(photos.get(laptop.name) ?? [])];
    let id = listed.get(laptop.name);
    if (id === undefined) {
      const body = {
        category_Id: laptop.brand,
        name: laptop.name,
        location: seller.location,
        image: images[0] ?? '',
        images,
        description: { ...laptop.configuration, Notes: laptop.notes },
        original_price: laptop.originalPrice,
        resale_price: laptop.resalePrice,
        posted_time: postedTime(laptop, now),
        use_time: laptop.useTime,
        mobile_number: seller.mobileNumber,
        condition: laptop.condition,
      };
      id = (await calls.call(listLaptop, { body })).insertedId;
    }
    if (laptop.advertised) await calls.call(advertiseLaptop, { params: { _id: id } });
  }
}
