import * as accounts from './accounts.ts';
import * as audit from './audit.ts';
import * as bookings from './bookings.ts';
import * as catalogue from './catalogue.ts';
import type { Endpoint } from './endpoint.ts';
import * as payments from './payments.ts';
import * as people from './people.ts';
import * as privacy from './privacy.ts';
import * as reports from './reports.ts';
import * as settings from './settings.ts';
import * as wishlist from './wishlist.ts';

/** The rooms of the contract by name, each with everything that it exports: its calls and its schemas. */
export const rooms: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(
  Object.entries({
    catalogue,
    accounts,
    people,
    privacy,
    bookings,
    wishlist,
    payments,
    reports,
    audit,
    settings,
  }),
);

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'access' in value && 'answer' in value && 'path' in value
  );
}

/** The calls of one room by their names. */
export function callsOf(room: Readonly<Record<string, unknown>>): [name: string, endpoint: Endpoint][] {
  return Object.entries(room).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]));
}

/** Every call of the contract by its name: for whatever must look at all of them. */
export const calls: ReadonlyMap<string, Endpoint> = new Map([...rooms.values()].flatMap(callsOf));
