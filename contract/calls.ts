import * as accounting from './accounting.ts';
import * as accounts from './accounts.ts';
import * as audit from './audit.ts';
import * as bookings from './bookings.ts';
import * as browserChecks from './browser-checks.ts';
import * as catalogue from './catalogue.ts';
import * as certificates from './certificates.ts';
import * as complaints from './complaints.ts';
import type { Endpoint } from './endpoint.ts';
import * as health from './health.ts';
import * as inspectionDesk from './inspection-desk.ts';
import * as inspections from './inspections.ts';
import * as laptopDrafts from './laptop-drafts.ts';
import * as meetings from './meetings.ts';
import * as messageReports from './message-reports.ts';
import * as messages from './messages.ts';
import * as notifications from './notifications.ts';
import * as orders from './orders.ts';
import * as payments from './payments.ts';
import * as payouts from './payouts.ts';
import * as people from './people.ts';
import * as phoneChecks from './phone-checks.ts';
import * as privacy from './privacy.ts';
import * as reports from './reports.ts';
import * as reviewReports from './review-reports.ts';
import * as reviews from './reviews.ts';
import * as sameLaptop from './same-laptop.ts';
import * as savedSearches from './saved-searches.ts';
import * as search from './search.ts';
import * as sellerChecks from './seller-checks.ts';
import * as sellerPages from './seller-pages.ts';
import * as settings from './settings.ts';
import * as settlements from './settlements.ts';
import * as sitemaps from './sitemaps.ts';
import * as subscriptions from './subscriptions.ts';
import * as wishlist from './wishlist.ts';

/** The modules of the contract by name, with all their exports: endpoints, schemas and constants. */
export const contractModules: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(
  Object.entries({
    catalogue,
    inspections,
    laptopDrafts,
    browserChecks,
    inspectionDesk,
    certificates,
    search,
    sameLaptop,
    savedSearches,
    notifications,
    subscriptions,
    accounts,
    people,
    sellerChecks,
    phoneChecks,
    privacy,
    bookings,
    wishlist,
    orders,
    complaints,
    reviews,
    reviewReports,
    sellerPages,
    messages,
    meetings,
    messageReports,
    payments,
    payouts,
    settlements,
    accounting,
    reports,
    audit,
    health,
    settings,
    sitemaps,
  }),
);

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'access' in value && 'answer' in value && 'path' in value
  );
}

/** Returns the endpoints that a module exports, by name. */
export function callsOf(exported: Readonly<Record<string, unknown>>): [name: string, endpoint: Endpoint][] {
  return Object.entries(exported).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]));
}

/** All endpoints of the contract by name. */
export const calls: ReadonlyMap<string, Endpoint> = new Map([...contractModules.values()].flatMap(callsOf));
