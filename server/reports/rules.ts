import * as z from 'zod/mini';
import type { ReportedItem, ReportReason } from '#contract/reports.ts';
import { dollarsFromCents } from '#contract/scalars.ts';
import { type AuditRow, toResponse as toAuditResponse } from '../audit/rules.ts';

/** A reported laptop joined with its seller. */
export interface ReportedLaptop {
  id: string;
  name: string;
  brand: string;
  images: string[];
  resale_price_cents: number;
  state: 'available' | 'sold' | 'withdrawn' | 'taken_down';
  seller_name: string;
  seller_email: string;
  seller_verified: boolean;
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

/** A report joined with its reporter. */
export interface ReportRow {
  id: string;
  laptop_id: string;
  reason: ReportReason;
  note: string;
  resolution: 'dismissed' | 'taken_down' | null;
  created_at: Date;
  reporter_name: string;
  reporter_email: string;
  reporter_email_verified: boolean;
}

const productStates = {
  available: 'Available',
  sold: 'Sold',
  taken_down: 'Taken down',
  withdrawn: 'Withdrawn',
} as const;
const resolutions = { dismissed: 'Dismissed', taken_down: 'Taken down' } as const;

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
    price: dollarsFromCents(laptop.resale_price_cents),
    productState: productStates[laptop.state],
    sellerName: laptop.seller_name,
    sellerEmail: laptop.seller_email,
    sellerVerified: laptop.seller_verified,
    state: laptop.has_open ? 'Open' : 'Resolved',
    reportCount: laptop.reports,
    openReportCount: laptop.open_reports,
    reports: reports.map((row) => ({
      _id: row.id,
      reason: row.reason,
      note: row.note,
      reporterName: row.reporter_name,
      reporterEmail: row.reporter_email,
      reportedAt: row.created_at.toISOString(),
      state: row.resolution === null ? 'Open' : resolutions[row.resolution],
    })),
    history: history.map(toAuditResponse),
    actions: !laptop.has_open ? [] : laptop.state === 'available' ? ['dismiss', 'takeDown'] : ['dismiss'],
  };
}
