import type { Address } from '#contract/sales/addresses.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { addressErrors } from './rules.ts';

/**
 * Refuses an address that cannot be of its country, or is in another one.
 * @param prefix of the address in the request, such as `address.`
 * @throws Refusal with an error at each field
 */
export function requireAddress(
  address: Address,
  shipsFrom: string,
  prefix: '' | 'address.' | 'sender.',
): void {
  const errors = Object.entries(addressErrors(address, shipsFrom));
  const [first] = errors;
  if (first === undefined) return;
  throw new Refusal('invalid_input', `${first[1]}. Nothing was changed; please correct the address.`, {
    errors: Object.fromEntries(errors.map(([field, error]) => [`${prefix}${field}`, error])),
  });
}
