import * as browserChecks from './certification/browser-checks.ts';
import * as certificates from './certification/certificates.ts';
import * as inspectionDesk from './certification/inspection-desk.ts';
import * as inspections from './certification/inspections.ts';
import * as laptopDrafts from './certification/laptop-drafts.ts';
import * as sameLaptop from './certification/same-laptop.ts';
import * as brands from './listings/brands.ts';
import * as catalogue from './listings/catalogue.ts';
import * as reports from './listings/reports.ts';
import * as savedSearches from './listings/saved-searches.ts';
import * as search from './listings/search.ts';
import * as sitemaps from './listings/sitemaps.ts';
import * as subscriptions from './listings/subscriptions.ts';
import * as wishlist from './listings/wishlist.ts';
import * as accounting from './money/accounting.ts';
import * as payouts from './money/payouts.ts';
import * as settlements from './money/settlements.ts';
import * as content from './operations/content.ts';
import * as firstSteps from './operations/first-steps.ts';
import * as health from './operations/health.ts';
import * as people from './operations/people.ts';
import * as privacy from './operations/privacy.ts';
import * as settings from './operations/settings.ts';
import * as staff from './operations/staff.ts';
import * as waiting from './operations/waiting.ts';
import * as accounts from './people/accounts.ts';
import * as audit from './people/audit.ts';
import * as notifications from './people/notifications.ts';
import * as phoneChecks from './people/phone-checks.ts';
import * as sellerChecks from './people/seller-checks.ts';
import type { Endpoint } from './platform/endpoint.ts';
import * as bookings from './sales/bookings.ts';
import * as complaints from './sales/complaints.ts';
import * as labels from './sales/labels.ts';
import * as meetings from './sales/meetings.ts';
import * as messageReports from './sales/message-reports.ts';
import * as messages from './sales/messages.ts';
import * as orders from './sales/orders.ts';
import * as payments from './sales/payments.ts';
import * as reviewReports from './sales/review-reports.ts';
import * as reviews from './sales/reviews.ts';
import * as sellerPages from './sales/seller-pages.ts';
import * as shipping from './sales/shipping.ts';
import * as shopFigures from './sales/shop-figures.ts';

/** The modules of the contract by name, with all their exports: endpoints, schemas and constants. */
export const contractModules: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(
  Object.entries({
    catalogue,
    brands,
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
    shipping,
    labels,
    complaints,
    reviews,
    reviewReports,
    sellerPages,
    shopFigures,
    messages,
    meetings,
    messageReports,
    payments,
    payouts,
    settlements,
    accounting,
    reports,
    audit,
    content,
    health,
    firstSteps,
    settings,
    staff,
    waiting,
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
