import pg from 'pg';
import * as z from 'zod';
import { listLaptop } from '#contract/listings/catalogue.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { exchangeToken, registerUser } from '#contract/people/accounts.ts';
import { createClient } from '#contract/platform/client.ts';
import { book } from '#contract/sales/bookings.ts';
import { createPaymentIntent, recordPayment } from '#contract/sales/payments.ts';
import { confirmWithCard } from '#demo/card.ts';
import { samplePicture, uploadPhoto } from '#demo/pictures.ts';
import type { TestDatabase } from '#tests/harness/platform/postgres.ts';

const password = 'Kept#2018word';

/** Returns a client of a shop with a token. */
export const clientFor = (origin: string, token: string | null) =>
  createClient({ base: `${origin}/api`, fetch, token: () => token });

async function requestIdToken(origin: string, path: string, body: unknown): Promise<string> {
  const answer = await fetch(`${origin}/identity${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return z.object({ idToken: z.string() }).parse(await answer.json()).idToken;
}

async function signUp(origin: string, role: 'Buyer' | 'Seller'): Promise<string> {
  const [email, name] = [`${role.toLowerCase()}@kept.example`, `Kept ${role}`];
  const proven = clientFor(origin, await requestIdToken(origin, '/sign-up/email', { email, name, password }));
  await proven.call(registerUser, { body: { name, email, role } });
  return (await proven.call(exchangeToken, { query: { email } })).coomercioToken;
}

/** Signs the buyer in with the password. @returns the shop's token */
export async function signInBuyer(origin: string): Promise<string> {
  const email = 'buyer@kept.example';
  const proven = clientFor(origin, await requestIdToken(origin, '/sign-in/email', { email, password }));
  return (await proven.call(exchangeToken, { query: { email } })).coomercioToken;
}

/** Creates a seller with two laptops, one of them paid by a buyer. */
export async function createSampleData(origin: string): Promise<{ buyerToken: string; photo: string }> {
  const seller = await signUp(origin, 'Seller');
  const buyerToken = await signUp(origin, 'Buyer');
  const [sellers, buyers] = [clientFor(origin, seller), clientFor(origin, buyerToken)];
  const settings = await clientFor(origin, null).call(readSettings, {});
  const photoKey = new URL(settings.photos.uploadUrl, origin).searchParams.get('key') ?? '';
  const photo = await uploadPhoto(samplePicture, { photosUrl: `${origin}/photos`, photoKey, token: seller });
  const laptop = async (name: string) => {
    const { insertedId } = await sellers.call(listLaptop, {
      body: {
        category_Id: 'HP',
        name,
        location: 'Lisbon',
        image: photo,
        description: { Processor: 'i5', Notes: 'Tab\there, "quotes", back\\slash,\nlines, ünïcödé, 😀' },
        original_price: 900,
        resale_price: 500,
        posted_time: '11/20/2026, 9:30:00 AM',
        use_time: '1 year',
        mobile_number: '+351 912 345 678',
        condition: 'Good',
      },
    });
    return insertedId;
  };
  const productCode = await laptop('Paid one');
  await laptop('Other one');
  const { insertedId: bookingId = '' } = await buyers.call(book, {
    body: { productCode, price: 500, phone: '+351 900 000 000', location: 'Station' },
  });
  const { clientSecret } = await buyers.call(createPaymentIntent, { body: { price: 500, bookingId } });
  const cards = { url: settings.cards.scriptUrl ?? '', publishableKey: settings.cards.publishableKey };
  const { transactionId } = await confirmWithCard(cards, clientSecret);
  await buyers.call(recordPayment, { body: { transactionId, bookingId } });
  return { buyerToken, photo };
}

/** Runs work on a new connection to a database. */
export async function withConnection<Answer>(
  which: TestDatabase,
  work: (client: pg.Client) => Promise<Answer>,
): Promise<Answer> {
  const client = new pg.Client({ connectionString: which.url });
  await client.connect();
  return work(client).finally(() => client.end());
}

/**
 * Reads all rows of all tables of the shop and of the identity provider, as text. The folder of the photos and the state of
 * the backups are facts about the machine, and not backed up.
 */
export function readAllRows(which: TestDatabase): Promise<Record<string, string[]>> {
  return withConnection(which, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_schema in ('public', 'identity') and table_type = 'BASE TABLE'
          and table_name not in ('photo_folder', 'backup_state') order by 1`,
    );
    const all: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select to_jsonb(t)::text as row from ${name} t order by 1`,
      );
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  });
}
