import * as accounts from './accounts.ts';
import * as bookings from './bookings.ts';
import * as catalogue from './catalogue.ts';
import type { Endpoint } from './endpoint.ts';
import * as moderation from './moderation.ts';
import * as payments from './payments.ts';
import * as settings from './settings.ts';
import * as wishlist from './wishlist.ts';

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'access' in value && 'answer' in value && 'path' in value
  );
}

/** Every call of the contract by its name: for whatever must look at all of them. */
export const calls: ReadonlyMap<string, Endpoint> = new Map(
  [accounts, bookings, catalogue, moderation, payments, settings, wishlist].flatMap((room) =>
    Object.entries(room).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
  ),
);
