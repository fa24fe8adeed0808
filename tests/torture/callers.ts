import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { PHOTO_FIELD, PhotoUploaded } from '#contract/listings/photos.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { exchangeToken, registerUser } from '#contract/people/accounts.ts';
import { type Client, createClient, Problem } from '#contract/platform/client.ts';
import { confirmWithCard } from '#demo/card.ts';
import type { LoadedShop } from './shop.ts';

/** A registered user with a client. */
export interface Caller {
  email: string;
  client: Client;
  token(): string;
}

let serial = 0;

/** Registers a user with an ID token. @throws Problem while the shop is unavailable */
export async function register({ origin, issuer }: LoadedShop, role: 'Buyer' | 'Seller'): Promise<Caller> {
  serial += 1;
  const name = `${role} ${serial}`;
  const email = `${role.toLowerCase()}.${serial}.${randomBytes(3).toString('hex')}@people.example`;
  const idToken = await issuer.idToken(email, { name });
  let token = idToken;
  const client = createClient({ base: `${origin}/api`, fetch, token: () => token });
  await client.call(registerUser, { body: { name, email, role } });
  token = (await client.call(exchangeToken, { query: { email } })).coomercioToken;
  return { email, client, token: () => token };
}

/** Creates a unique picture. */
function newPicture(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  return sharp({ create: { width: 320, height: 240, channels: 3, background: '#777', noise } })
    .jpeg()
    .toBuffer();
}

/**
 * Uploads a new picture as the form does.
 * @returns its URL @throws Problem with the shop's refusal, or status 0 without a response
 */
export async function uploadPicture(seller: Caller, origin: string): Promise<string> {
  const { photos } = await seller.client.call(readSettings, {});
  const body = new FormData();
  body.set(PHOTO_FIELD, new Blob([new Uint8Array(await newPicture())]), 'laptop.jpg');
  let response: Response;
  try {
    response = await fetch(new URL(photos.uploadUrl, origin), {
      method: 'POST',
      headers: { authorization: `Bearer ${seller.token()}` },
      body,
      signal: AbortSignal.timeout(30_000),
    });
  } catch (cause) {
    throw Object.assign(new Problem({ status: 0, code: 'network', detail: 'No response was received.' }), {
      cause,
    });
  }
  const answer: unknown = await response.json().catch(() => null);
  const uploaded = PhotoUploaded.safeParse(answer);
  if (uploaded.success) return uploaded.data.data.url;
  const code =
    typeof answer === 'object' && answer !== null && 'code' in answer && typeof answer.code === 'string'
      ? answer.code
      : 'unknown_response';
  throw new Problem({ status: response.status, code, detail: JSON.stringify(answer) });
}

export const price = 549.99;
export const GOOD_CARD = '4242424242424242';

/** A laptop to list. @param image its photo’s URL */
export const laptopWith = (image: string) => ({
  category_Id: 'HP',
  name: 'EliteBook 840 G8',
  location: 'Lisbon',
  image,
  description: 'One small scratch on the lid.',
  original_price: 1299,
  resale_price: price,
  use_time: '2 years',
  mobile_number: '+351 912 345 678',
  condition: 'Excellent' as const,
});

/** Charges a card at the card processor, as the browser does. @returns the intent's status; null without a response */
export async function chargeCard(
  { cards }: LoadedShop,
  clientSecret: string,
  card: string,
): Promise<string | null> {
  const { apiUrl: url, publishableKey } = cards;
  const signal = AbortSignal.timeout(15_000);
  try {
    const { response } = await confirmWithCard({ url, publishableKey }, clientSecret, { card, signal });
    const answer: { status?: string } = await response.json();
    return answer.status ?? 'refused';
  } catch {
    // The card processor was killed or hangs. The card may have been charged.
    return null;
  }
}
