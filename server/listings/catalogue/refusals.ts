import { DatabaseError } from 'pg';
import { Refusal } from '#server/platform/http/refusal.ts';

/** The refusal for a laptop that is not the caller's, the same as for an unknown one. */
export const notOwnLaptop = () => new Refusal('not_found', 'There is no such laptop among your products.');

/** Refuses what named a former currency, because this process had not read its change yet; throws other errors as they are. */
export function refuseFormerCurrency(error: unknown): never {
  if (!(error instanceof DatabaseError) || !/^(priced|booked)_in_currency$/.test(error.constraint ?? ''))
    throw error;
  throw new Refusal(
    'changed_elsewhere',
    'The shop has just changed its currency. Nothing was saved. Please load the page again and look at the price.',
  );
}
