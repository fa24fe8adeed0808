import * as z from 'zod/mini';
import type { ReportedItem, ReportReason, ShopReason } from '#contract/listings/reports.ts';
import { amountFromCents } from '#contract/platform/scalars.ts';
import { type AuditRow, toResponse as toAuditResponse } from '#server/people/audit/rules.ts';
import type { Prefixed, Row } from '#server/platform/database/tables.ts';
import { ratedSeller, type SellerRatingColumns, slipResponse } from '../catalogue/rules.ts';

/** A reported laptop joined with its seller. */
export interface ReportedLaptop
  extends SellerRatingColumns,
    Pick<
      Row<'laptops'>,
      'id' | 'name' | 'brand' | 'images' | 'photo_kinds' | 'slip_code' | 'resale_price_cents' | 'state'
    >,
    Prefixed<'seller', Pick<Row<'users'>, 'name' | 'email' | 'verified'>> {
  reports: number;
  open_reports: number;
  has_open: boolean;
  /** The number of the latest report. */
  latest: string;
}

/** The sort key of the list of reported laptops, from which its cursors are made. */
export const ReportedKey = z.object({
  hasOpen: z.boolean(),
  /** The number of the latest report. */
  latest: z.string().check(z.regex(/^\d{1,18}$/)),
});
export type ReportedKey = z.infer<typeof ReportedKey>;

type AnyReport = Pick<Row<'reports'>, 'id' | 'laptop_id' | 'note' | 'resolution' | 'created_at'>;

/** A person's report joined with the reporter. */
export interface PersonReport
  extends AnyReport,
    Prefixed<'reporter', Pick<Row<'users'>, 'id' | 'name' | 'email' | 'email_verified'>> {
  reason: ReportReason;
}

/** A report by the shop itself, joined with the other listing. */
export interface ShopReport extends AnyReport {
  reporter_id: null;
  reason: ShopReason;
  other_laptop_id: string;
  other_name: string;
  other_state: ReportedLaptop['state'];
  photo: string | null;
  other_photo: string | null;
}

export type ReportRow = PersonReport | ShopReport;

/** A report that the shop itself files about a listing that has something in common with another one. */
export interface NewShopReport {
  laptopId: string;
  otherLaptopId: string;
  reason: ShopReason;
  /** Sentences without names, because they outlive accounts. */
  note: string;
  /** Entries of the two laptops' images; only with the reason `Same photo`. */
  photos?: { reported: string; other: string };
}

const productStates = {
  available: 'Available',
  sold: 'Sold',
  taken_down: 'Taken down',
  withdrawn: 'Withdrawn',
  blocked: 'Blocked',
} as const;
const resolutions = { dismissed: 'Dismissed', taken_down: 'Taken down' } as const;

function reportResponse(
  row: ReportRow,
  photoUrl: (photo: string) => string,
): ReportedItem['reports'][number] {
  const common = {
    _id: row.id,
    note: row.note,
    reportedAt: row.created_at.toISOString(),
    state: row.resolution === null ? ('Open' as const) : resolutions[row.resolution],
  };
  if (row.reporter_id !== null) {
    const { reason, reporter_name: reporterName, reporter_email: reporterEmail } = row;
    return { ...common, by: 'person', reason, reporterName, reporterEmail };
  }
  const { photo, other_photo: otherPhoto } = row;
  return {
    ...common,
    by: 'shop',
    reason: row.reason,
    otherLaptop: { _id: row.other_laptop_id, name: row.other_name, state: productStates[row.other_state] },
    ...(photo !== null &&
      otherPhoto !== null && { photos: { reported: photoUrl(photo), other: photoUrl(otherPhoto) } }),
  };
}

/** The response for a reported laptop. @param photoUrl makes the public URL of a stored photo */
export function toResponse(
  laptop: ReportedLaptop,
  reports: readonly ReportRow[],
  history: readonly AuditRow[],
  photoUrl: (photo: string) => string,
): ReportedItem {
  return {
    _id: laptop.id,
    productName: laptop.name,
    category_Id: laptop.brand,
    image: photoUrl(laptop.images[0] ?? ''),
    price: amountFromCents(laptop.resale_price_cents),
    productState: productStates[laptop.state],
    sellerName: laptop.seller_name,
    ...ratedSeller(laptop),
    sellerEmail: laptop.seller_email,
    sellerVerified: laptop.seller_verified,
    slip: slipResponse(laptop, photoUrl),
    state: laptop.has_open ? 'Open' : 'Resolved',
    reportCount: laptop.reports,
    openReportCount: laptop.open_reports,
    reports: reports.map((row) => reportResponse(row, photoUrl)),
    history: history.map(toAuditResponse),
    actions: !laptop.has_open
      ? []
      : laptop.state === 'available' || laptop.state === 'blocked'
        ? ['dismiss', 'takeDown']
        : ['dismiss'],
  };
}
