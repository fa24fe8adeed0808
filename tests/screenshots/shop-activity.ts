import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type Laptop, listCategory } from '#contract/listings/catalogue.ts';
import { dismissReports, type ReportReason, reportLaptop } from '#contract/listings/reports.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { wish } from '#contract/listings/wishlist.ts';
import type { Client } from '#contract/platform/client.ts';
import { book, listBookings, readBooking } from '#contract/sales/bookings.ts';
import { reportReview } from '#contract/sales/review-reports.ts';
import { listReviewsOfSeller } from '#contract/sales/seller-pages.ts';
import { demoAdmin, demoBuyer, demoPassword } from '#demo/accounts.ts';
import { payBooking } from '#demo/sell.ts';
import {
  createShopClient,
  createUserRecord,
  exchangeForShopToken,
  type ShopUrls,
  signIn,
} from '#demo/sign-in.ts';

/** Buyers in addition to the demo's. */
const otherBuyers = [
  { name: 'Łukasz Nowak', email: 'lukasz.nowak@people.example' },
  { name: 'José García', email: 'jose.garcia@people.example' },
  { name: 'Aiko Tanaka', email: 'aiko.tanaka@people.example' },
] as const;

const brands = ['HP', 'Dell', 'Acer'] as const;

/** Ids of the created activity that views need. */
export interface ShopActivity {
  /** The buyer's unpaid booking. */
  unpaidBooking: string;
  /** A laptop without bookings. */
  unbooked: Laptop;
  /** A seller with reviews. */
  seller: string;
  /** An order of the demo buyer for a measured laptop, before the meeting. */
  measuredOrder: string;
  /** An order of the demo buyer that both sides have reviewed. */
  reviewedOrder: string;
}

interface Account {
  readonly name: string;
  readonly email: string;
}

async function signInAccount(
  urls: ShopUrls,
  account: Account,
  signedIn: AsyncDisposableStack,
): Promise<Client> {
  const { idToken } = signedIn.use(await signIn(urls, account, demoPassword));
  await createUserRecord(urls, account, 'Buyer', idToken);
  return createShopClient(urls, await exchangeForShopToken(urls, account, idToken));
}

/** Returns an item of a list. @throws Error when the list is shorter */
function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`The demo shop has no laptop number ${index + 1}.`);
  return item;
}

async function bookFor(
  calls: Client,
  laptop: Pick<Laptop, '_id' | 'resale_price'>,
  location: string,
): Promise<string> {
  const body = { price: laptop.resale_price, phone: '+1 503 555 0199', location, productCode: laptop._id };
  const answer = await calls.call(book, { body });
  if (answer.insertedId === undefined) throw new Error(answer.message);
  return answer.insertedId;
}

async function report(calls: Client, laptop: Laptop, reason: ReportReason, note: string): Promise<void> {
  await calls.call(reportLaptop, { body: { productCode: laptop._id, reason, note } });
}

/** Creates bookings, wishes, payments and reports in a demo shop, so that no page is empty. */
export async function createActivity(origin: string): Promise<ShopActivity> {
  const urls = { origin };
  const visitor = createShopClient(urls, null);
  const listings = await Promise.all(
    brands.map((id) => visitor.call(listCategory, { params: { id }, query: {} })),
  );
  const [hp, dell, acer] = [itemAt(listings, 0), itemAt(listings, 1), itemAt(listings, 2)];
  await using signedIn = new AsyncDisposableStack();
  const buyer = await signInAccount(urls, demoBuyer, signedIn);
  const [first, second, third] = await Promise.all(
    otherBuyers.map((person) => signInAccount(urls, person, signedIn)),
  );
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('The buyers were not registered.');

  for (const laptop of [itemAt(hp, 3), itemAt(dell, 2), itemAt(acer, 1), itemAt(acer, 3)]) {
    await buyer.call(wish, { body: { productCode: laptop._id } });
  }
  await payBooking(
    buyer,
    await bookFor(buyer, itemAt(acer, 1), 'City library, main entrance'),
    itemAt(acer, 1).resale_price,
  );
  const { laptops: measured } = await visitor.call(searchLaptops, { query: { level: 'measured' } });
  const boughtMeasured = itemAt(measured, measured.length - 1);
  const measuredBooking = await bookFor(buyer, boughtMeasured, 'Saturday Market, the fountain');
  await payBooking(buyer, measuredBooking, boughtMeasured.resale_price);
  await bookFor(buyer, itemAt(hp, 4), 'Pioneer Square, the bookshop');
  const unpaidBooking = await bookFor(buyer, itemAt(dell, 1), 'Central Station, under the clock');
  await bookFor(first, itemAt(hp, 4), 'Lloyd Center, north door');
  await bookFor(second, itemAt(hp, 2), 'Union Station, main hall');
  await bookFor(third, itemAt(dell, 4), 'Powell’s, at the red room');
  const bought = itemAt(hp, 5);
  await payBooking(
    second,
    await bookFor(second, bought, 'Pioneer Square, the bookshop'),
    bought.resale_price,
  );

  const reported = itemAt(acer, 2);
  await report(
    first,
    reported,
    'Not as described',
    'The second photo shows another keyboard than the first.',
  );
  await report(third, reported, 'Other', 'The seller asked me to pay outside of the shop.');
  await report(second, itemAt(dell, 3), 'Stolen', 'The serial number is on the list of my former office.');
  await report(buyer, itemAt(hp, 1), 'Counterfeit', '');
  const seller = itemAt(acer, 1).seller_id;
  const reviews = await visitor.call(listReviewsOfSeller, { params: { sellerId: seller }, query: {} });
  await third.call(reportReview, {
    params: { _id: itemAt(reviews, 0)._id },
    body: { reason: 'Not about the sale', note: 'It is about the mail and not about the laptop.' },
  });
  const { idToken } = signedIn.use(await signIn(urls, demoAdmin, demoPassword));
  const admin = createShopClient(urls, await exchangeForShopToken(urls, demoAdmin, idToken));
  const note = 'Seen the invoice: it is the real one.';
  await admin.call(dismissReports, { params: { _id: itemAt(hp, 1)._id }, body: { note } });
  const bookings = await buyer.call(listBookings, { query: {} });
  if (bookings.length < 3) throw new Error('The buyer’s bookings are missing.');
  const reviewed = bookings.find(({ order }) => order?.state === 'released');
  if (reviewed?.order === undefined) throw new Error('The buyer’s completed sale is missing.');
  const { order: measuredOrder } = await buyer.call(readBooking, { params: { _id: measuredBooking } });
  if (measuredOrder === undefined) throw new Error('The measured laptop was not paid.');
  return {
    ...{ unpaidBooking, unbooked: itemAt(hp, 0), seller },
    ...{ measuredOrder: measuredOrder._id, reviewedOrder: reviewed.order._id },
  };
}

const Mails = z.array(z.object({ subject: z.string(), html: z.nullable(z.string()) }));

/**
 * Waits for an email by its subject. @returns its HTML
 * @param mailUrl URL of the mail catcher
 * @throws Error when it has not arrived within ten seconds
 */
export async function waitForEmailHtml(mailUrl: string, to: string, subject: RegExp): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const answer = await fetch(`${mailUrl}/messages.json?to=${encodeURIComponent(to)}`);
    const found = Mails.parse(await answer.json()).find((mail) => subject.test(mail.subject));
    if (typeof found?.html === 'string') return found.html;
    await pause(200);
  }
  throw new Error(`${to} has received no email with the subject ${subject}.`);
}
