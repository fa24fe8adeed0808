import type * as z from 'zod/mini';
import { exchangeToken, registerUser } from '#contract/accounts.ts';
import type { NewLaptop } from '#contract/catalogue.ts';
import { type Client, createClient } from '#contract/client.ts';
import { writePhotoName } from '#contract/photos.ts';
import type { IdentityIssuer } from './identity-issuer.ts';
import { anyPhoto } from './sample-photo.ts';

/** Somebody with an account, and the calls in that person's name. */
export interface Person {
  email: string;
  name: string;
  userId: string;
  token: string;
  client: Client;
}

let serial = 0;

/**
 * Registers somebody new at a shop whose identity provider is `issuer`, and signs in.
 * @param claims of the ID token, merged over sensible ones
 */
export async function enterShop(
  { origin, issuer }: { origin: string; issuer: Pick<IdentityIssuer, 'idToken'> },
  role: 'Buyer' | 'Seller',
  name: string = role,
  claims: Record<string, unknown> = {},
): Promise<Person> {
  const callsWith = (token: string) => createClient({ base: `${origin}/api`, fetch, token: () => token });
  serial += 1;
  const email = `${name.toLowerCase().replaceAll(/\W+/g, '.')}.${serial}@people.example`;
  const proven = callsWith(await issuer.idToken(email, { name, ...claims }));
  const { insertedId: userId = '' } = await proven.call(registerUser, { body: { name, email, role } });
  const { coomercioToken: token } = await proven.call(exchangeToken, { query: { email } });
  return { email, name, userId, token, client: callsWith(token) };
}

/** Any laptop; a test names only what matters to it. @param origin of the image host */
export function anyLaptop(origin: string): z.input<typeof NewLaptop> {
  return {
    category_Id: 'HP',
    name: 'EliteBook 840 G8',
    location: 'Lisbon',
    image: `${origin}/photos/${writePhotoName(anyPhoto)}/${anyPhoto.width}.webp`,
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
