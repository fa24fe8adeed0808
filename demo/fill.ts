import { listBrands, listCategory } from '#contract/listings/catalogue.ts';
import { listContent, publishContent } from '#contract/operations/content.ts';
import { readSettings, readShopSettings, saveShopSettings } from '#contract/operations/settings.ts';
import { verifySeller } from '#contract/operations/user-admin.ts';
import { type Client, Problem } from '#contract/platform/client.ts';
import { type CurrencyCode, scaledCents } from '#contract/platform/currencies.ts';
import { listConversations } from '#contract/sales/messages.ts';
import { type DemoSeller, demoAdmin, demoBuyer, demoBuyers, demoPassword, demoSellers } from './accounts.ts';
import { createConversation, demoConversations } from './conversations.ts';
import { type DemoLaptop, demoLaptops } from './laptops.ts';
import { findOwner, listLaptops, type SellerClient, uploadAll } from './listing.ts';
import { inspectLaptops, measureLaptops } from './measure.ts';
import { shopPictures } from './pictures.ts';
import { completeSale } from './sell.ts';
import {
  createShopClient,
  createUserRecord,
  exchangeForShopToken,
  type ShopUrls,
  signIn,
} from './sign-in.ts';
import { demoSales } from './sold-laptops.ts';

export { demoAccountLines, demoAccounts, demoPassword } from './accounts.ts';

export interface FillOptions {
  /** The origin of the shop, without a trailing slash. */
  origin: string;
  /** The mail catcher, which receives the verification emails. Without it, addresses stay unverified. */
  inboxUrl?: string;
  /** The query of the upload URL. */
  photoKey: string;
  /** The folder of the pictures, with a trailing slash. By default the demo's own. */
  picturesFolder?: URL;
  /** The currency of a shop whose settings nobody has changed. */
  currency: CurrencyCode;
  /** Makes a user an admin, which no API call does. */
  grantAdmin(email: string): Promise<void>;
  /** Logs a line for the operator. */
  log?(line: string): void;
  /** Aborts between two steps. The next run completes the demo data. */
  signal?: AbortSignal;
}

/**
 * Fills an empty shop with demo data through the API: accounts, laptops, advertisements, sales with reviews, conversations. The
 * sales need the card processor stand-in. Completes the data if an earlier run was aborted. Does nothing if they are complete, or if
 * the shop has laptops of other sellers. One call at a time: the caller holds a lock.
 * @throws Error or Problem if the shop, the identity provider or the image host rejects a step; the reason of `signal`
 */
export async function fillShop(options: FillOptions): Promise<void> {
  const { origin, photoKey, signal, log = () => undefined } = options;
  const urls: ShopUrls = options;
  if (await hasOtherSellers(urls)) return;
  await using sessions = new AsyncDisposableStack();
  const signInAs: SignInAs = async (account) =>
    sessions.use(await signIn(urls, account, demoPassword)).idToken;
  const buyerIdToken = await signInBuyerOfIncompleteShop(urls, signInAs);
  if (buyerIdToken === null) return;
  signal?.throwIfAborted();

  const started = Date.now();
  log(`Filling the shop with ${demoLaptops.length} laptops …`);
  const sellers = await Promise.all(demoSellers.map((seller) => connectSeller(urls, signInAs, seller)));
  const [photos, admin] = await Promise.all([
    uploadAll(sellers, { photosUrl: `${origin}/photos`, photoKey }, options),
    verifySellers(urls, signInAs, options),
  ]);
  const { cards, shop } = await admin.client.call(readSettings, {});
  const priced = (laptop: DemoLaptop) => inCurrency(laptop, shop.currency);
  const sales =
    cards.scriptUrl === null ? [] : demoSales.map((sale) => ({ ...sale, laptop: priced(sale.laptop) }));
  const laptops = [...demoLaptops.map(priced), ...sales.map(({ laptop }) => laptop)];
  const laptopIds = await listLaptops(sellers, [laptops, photos], signal);
  const uploadShopPhotos = (laptop: DemoLaptop) =>
    Promise.all(shopPictures(laptop).map((file) => photos.upload(admin.token, file)));
  for (const { client } of sellers) {
    await measureLaptops(client);
    await inspectLaptops(admin.client, client, uploadShopPhotos);
  }
  await publishSamples(admin.client);
  const buyers = await connectBuyers(urls, signInAs, buyerIdToken);
  for (const sale of sales) {
    signal?.throwIfAborted();
    const { client: seller } = findOwner(sale.laptop, sellers);
    const sides = { buyer: findBuyer(sale.buyer, buyers), seller };
    await completeSale(sides, laptopIds.get(sale.laptop.name) ?? '', sale);
  }
  for (const conversation of demoConversations) {
    signal?.throwIfAborted();
    const laptop = demoLaptops.find(({ name }) => name === conversation.laptop);
    if (laptop === undefined) throw new Error(`There is no ${conversation.laptop}.`);
    const { client: seller } = findOwner(laptop, sellers);
    const sides = { buyer: findBuyer(conversation.buyer, buyers), seller };
    const laptopId = laptopIds.get(laptop.name) ?? '';
    await createConversation(sides, { laptopId, price: priced(laptop).resalePrice }, conversation);
  }
  log(`Filled it in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** A laptop with prices of the size that they have in the currency. */
function inCurrency(laptop: DemoLaptop, code: CurrencyCode): DemoLaptop {
  const priced = (dollars: number) => scaledCents(Math.round(dollars * 100), code) / 100;
  return { ...laptop, originalPrice: priced(laptop.originalPrice), resalePrice: priced(laptop.resalePrice) };
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

/** Whether the demo data are complete: the demo buyer has the last conversation. */
async function isComplete(buyer: Client): Promise<boolean> {
  const last = demoConversations.at(-1);
  const conversations = await buyer.call(listConversations, { query: {} });
  return conversations.some(
    ({ productName, latest }) => productName === last?.laptop && latest >= last.messages.length,
  );
}

/** Signs in the demo buyer. @returns the ID token; null if the demo data are complete */
async function signInBuyerOfIncompleteShop(urls: ShopUrls, signInAs: SignInAs): Promise<string | null> {
  try {
    const idToken = await signInAs(demoBuyer);
    const token = await exchangeForShopToken(urls, demoBuyer, idToken).catch((error: unknown) => {
      if (isProblem(error, 'not_allowed')) return null;
      throw error;
    });
    if (token === null) return idToken;
    return (await isComplete(createShopClient(urls, token))) ? null : idToken;
  } catch (error) {
    // An account was deleted or has another password, so the demo data were complete before.
    if (isProblem(error, 'account_ended', 'user_disabled', 'invalid_credential', 'not_allowed')) return null;
    throw error;
  }
}

async function connectSeller(urls: ShopUrls, signInAs: SignInAs, seller: DemoSeller): Promise<SellerClient> {
  const idToken = await signInAs(seller);
  await createUserRecord(urls, seller, seller.role, idToken);
  const token = await exchangeForShopToken(urls, seller, idToken);
  return { seller, token, client: createShopClient(urls, token) };
}

/** The clients of the demo's buyers, by their email addresses. */
type BuyerClients = ReadonlyMap<string, Client>;

/** Signs in all buyers. */
async function connectBuyers(
  urls: ShopUrls,
  signInAs: SignInAs,
  buyerIdToken: string,
): Promise<BuyerClients> {
  const clients = new Map<string, Client>();
  for (const buyer of demoBuyers) {
    const idToken = buyer === demoBuyer ? buyerIdToken : await signInAs(buyer);
    await createUserRecord(urls, buyer, buyer.role, idToken);
    clients.set(buyer.email, createShopClient(urls, await exchangeForShopToken(urls, buyer, idToken)));
  }
  return clients;
}

function findBuyer(email: string, buyers: BuyerClients): Client {
  const buyer = buyers.get(email);
  if (buyer === undefined) throw new Error(`${email} is not a buyer of the demo.`);
  return buyer;
}

/** Publishes the samples of pages that come with a shop. */
async function publishSamples(admin: Client): Promise<void> {
  for (const { _id, version } of await admin.call(listContent, {})) {
    await admin.call(publishContent, { params: { _id }, body: { version } });
  }
}

/** @returns the admin's client and token */
async function verifySellers(
  urls: ShopUrls,
  signInAs: SignInAs,
  { grantAdmin, currency }: FillOptions,
): Promise<{ client: Client; token: string }> {
  const idToken = await signInAs(demoAdmin);
  await createUserRecord(urls, demoAdmin, 'Buyer', idToken);
  await grantAdmin(demoAdmin.email);
  const token = await exchangeForShopToken(urls, demoAdmin, idToken);
  const client = createShopClient(urls, token);
  for (const { name, email, verified } of demoSellers) {
    if (verified) await client.call(verifySeller, { params: { email }, query: { name } });
  }
  await stateIdentity(client, currency);
  return { client, token };
}

/** A demo is no business, and says so wherever a shop states who runs it. Sets its currency, and pays through the stand-in. */
async function stateIdentity(admin: Client, currency: CurrencyCode): Promise<void> {
  const { version, settings } = await admin.call(readShopSettings, {});
  // An owner who tries the settings keeps what they entered.
  if (version > 0) return;
  const legal = {
    company: 'Demo Company (fictitious)',
    address: '1 Example Street, Nowhere (fictitious)',
    registerNumber: '',
    vatNumber: '',
  };
  const contact = { ...settings.contact, email: 'demo@shop.example' };
  await admin.call(saveShopSettings, {
    body: { version, settings: { ...settings, legal, contact, currency, payoutMethod: 'card_processor' } },
  });
}
