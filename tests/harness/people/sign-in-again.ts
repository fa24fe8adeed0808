import { exchangeToken } from '#contract/people/accounts.ts';
import type { Client } from '#contract/platform/client.ts';
import type { Person, SharedShop } from '../operations/shop.ts';

/**
 * Signs a person in again, for calls that need a recent sign-in.
 * @param claims of the ID token, such as another `auth_time`; by default the sign-in is new
 */
export async function signInAgain(
  { client, issuer }: Pick<SharedShop, 'client' | 'issuer'>,
  { email }: Pick<Person, 'email'>,
  claims: Record<string, unknown> = {},
): Promise<Client> {
  const proven = client(await issuer.idToken(email, claims));
  const { coomercioToken } = await proven.call(exchangeToken, { query: { email } });
  return client(coomercioToken);
}
