// What the schema does not say of columns, for the generated types of the tables. The names are those of table and column.

import type { ColumnType } from 'kysely';
import type { BrowserFacts, CheckResult } from '#contract/certification/browser-checks.ts';
import type { Checklist } from '#contract/certification/checklist.ts';
import type { InspectedListing, ListingChange } from '#contract/certification/inspection-queue.ts';
import type { Machine } from '#contract/certification/machine.ts';
import type { SameLaptopCheck } from '#contract/certification/same-laptop.ts';
import type {
  GraphicsKind,
  OperatingSystem,
  ProcessorFamily,
  ProcessorGeneration,
} from '#contract/listings/facts.ts';
import type { EvidenceEnd } from '#contract/listings/levels.ts';
import type { PhotoKinds } from '#contract/listings/photo-kinds.ts';
import type { OrderState } from '#contract/money/order-states.ts';
import type { PayoutRequirement } from '#contract/money/payouts.ts';
import type { AuditAction } from '#contract/people/audit.ts';
import type { RecordedDocument } from '#contract/people/seller-checks.ts';
import type { StaffArea } from '#contract/platform/staff-rights.ts';
import type { OrderEvent } from '#contract/sales/orders.ts';

// JSON that is written as a text.
export type BrowserChecksBrowser = ColumnType<BrowserFacts, string, never>;
export type BrowserChecksResults = ColumnType<CheckResult[], string, never>;
export type InspectionsChanges = ColumnType<ListingChange[], string, never>;
export type InspectionsChecklist = ColumnType<Checklist, string, never>;
export type InspectionsListing = ColumnType<InspectedListing, string, never>;
export type LaptopsDescription = ColumnType<string | Record<string, string>, string, string>;
export type LaptopsPhotoCaptions = ColumnType<Record<string, string>, string | undefined, string>;
export type LaptopsPhotoKinds = ColumnType<PhotoKinds, string | undefined, string>;
export type LaptopsToMatchBefore = ColumnType<Record<string, unknown> | null, never, never>;
export type MeasurementsMachine = ColumnType<Machine, string, string>;
export type PayoutAccountsRequirements = ColumnType<PayoutRequirement[], string | undefined, string>;
export type SameLaptopChecksDifferences = ColumnType<
  SameLaptopCheck['differences'],
  string | undefined,
  string
>;
export type SavedSearchesFilters = ColumnType<unknown, string, never>;

// Texts whose values the contract lists and the schema does not.
export type AuditEntriesAct = AuditAction;
export type LaptopsGeneration = ProcessorGeneration;
export type LaptopsGraphics = GraphicsKind;
export type LaptopsProcessor = ProcessorFamily;
export type LaptopsSystem = OperatingSystem;
export type OrderEventsEvent = OrderEvent['event'];
export type OrdersDisputedIn = OrderState;
export type StaffInvitationsAreas = ColumnType<StaffArea[], readonly StaffArea[], readonly StaffArea[]>;
export type UsersAreas = ColumnType<StaffArea[], readonly StaffArea[] | undefined, readonly StaffArea[]>;
export type UsersAddressDocument = RecordedDocument['kind'];
export type UsersAddressSeen = RecordedDocument['seen'];
export type UsersIdentityDocument = RecordedDocument['kind'];
export type UsersIdentitySeen = RecordedDocument['seen'];

// Columns that only triggers write.
export type PaymentWindowsBuyerId = ColumnType<string, never, never>;
export type LaptopsChangedIn = ColumnType<string, never, never>;
export type LaptopsEvidenceEnded = ColumnType<EvidenceEnd, never, never>;
export type LaptopsEvidenceSince = ColumnType<Date, never, never>;
export type LaptopsStateSince = ColumnType<Date, never, never>;
