import type * as z from 'zod/mini';
import type { NewLaptop } from '#contract/listings/catalogue.ts';
import { writePhotoName } from '#contract/listings/photos.ts';
import { exchangeToken, registerUser } from '#contract/people/accounts.ts';
import { type Client, createClient } from '#contract/platform/client.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { register } from '#server/people/accounts/actions.ts';
import type { Tokens } from '#server/people/accounts/tokens.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { samplePhoto } from '../listings/sample-photo.ts';
import type { IdentityIssuer } from './identity-issuer.ts';

/** A registered user with a client that is signed in. */
export interface Person {
  email: string;
  name: string;
  userId: string;
  token: string;
  client: Client;
}

let serial = 0;

/** Returns an address that no other person of this process has. */
function newAddress(name: string): string {
  serial += 1;
  return `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${serial}@people.example`;
}

/**
 * Registers a new user at a shop whose identity provider is `issuer`, and signs the user in.
 * @param claims claims of the ID token, merged over the defaults
 */
export async function registerPerson(
  { origin, issuer }: { origin: string; issuer: Pick<IdentityIssuer, 'idToken'> },
  role: 'Buyer' | 'Seller',
  name: string = role,
  claims: Record<string, unknown> = {},
): Promise<Person> {
  const callsWith = (token: string) => createClient({ base: `${origin}/api`, fetch, token: () => token });
  const email = newAddress(name);
  const proven = callsWith(await issuer.idToken(email, { name, ...claims }));
  const { insertedId: userId = '' } = await proven.call(registerUser, { body: { name, email, role } });
  const { coomercioToken: token } = await proven.call(exchangeToken, { query: { email } });
  return { email, name, userId, token, client: callsWith(token) };
}

/** Does the same without requests, at a shop of this process: tests register thousands. */
export async function insertPerson(
  { origin, database, tokens }: { origin: string; database: Database; tokens: Tokens },
  role: 'Buyer' | 'Seller',
  name: string,
): Promise<Person> {
  const email = newAddress(name);
  const now = Math.floor(Date.now() / 1000);
  const identity = {
    ...{ email, name, emailVerified: true, emailReclaimed: false, sessionId: null, secondFactor: false },
    ...{ authenticatedAt: now, expiresAt: now + 3600, signedInAt: now, issuedAt: now },
  };
  const userId = await register(database, identity, { name, email, role }, defaultShopSettings.name);
  if (userId === null) throw new Error(`${email} is registered already.`);
  const token = await tokens.sign(userId, identity);
  const client = createClient({ base: `${origin}/api`, fetch, token: () => token });
  return { email, name, userId, token, client };
}

/** Returns a valid laptop; a test overrides the fields it is about. @param origin the image host's origin */
export function sampleLaptop(origin: string): z.input<typeof NewLaptop> {
  return {
    category_Id: 'HP',
    name: 'EliteBook 840 G8',
    location: 'Lisbon',
    image: `${origin}/photos/${writePhotoName(samplePhoto)}/${samplePhoto.width}.webp`,
    description: {
      Processor: 'Intel Core i5-1145G7',
      Memory: '16 GB',
      Notes: 'One small scratch on the lid.',
    },
    original_price: 1299,
    resale_price: 549.99,
    posted_time: '11/20/2026, 9:30:00 AM',
    use_time: '2 years',
    mobile_number: '+351 912 345 678',
    condition: 'Excellent',
  };
}
