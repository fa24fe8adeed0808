import {
  type AdminAct,
  type AuditEntry,
  cardActs,
  type ReportedItem,
  type ReportReason,
} from '#contract/moderation.ts';
import { dollarsFromCents } from '#contract/scalars.ts';

/** A laptop that somebody has reported, joined with its seller. */
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

/** An audit entry joined with its admin, who is null for the command line and for the card processor. */
export interface AuditRow {
  id: string;
  number: string;
  act: AdminAct;
  laptop_id: string | null;
  subject: string;
  note: string;
  created_at: Date;
  admin_name: string | null;
  admin_email: string | null;
}

const productStates = {
  available: 'Available',
  sold: 'Sold',
  taken_down: 'Taken down',
  withdrawn: 'Withdrawn',
} as const;
const resolutions = { dismissed: 'Dismissed', taken_down: 'Taken down' } as const;

/** Who did what no account did. */
const withoutAccount = (act: AdminAct) =>
  cardActs.some((one) => one === act) ? 'Card processor' : 'Command line';

/** An audit entry as it travels. */
export function auditOnTheWire(row: AuditRow): AuditEntry {
  return {
    _id: row.id,
    adminName: row.admin_name ?? withoutAccount(row.act),
    adminEmail: row.admin_email ?? '',
    act: row.act,
    subject: row.subject,
    note: row.note,
    at: row.created_at.toISOString(),
  };
}

/** A reported laptop as it travels. @param shown how a stored photo travels */
export function reportedOnTheWire(
  laptop: ReportedLaptop,
  reports: readonly ReportRow[],
  history: readonly AuditRow[],
  shown: (photo: string) => string,
): ReportedItem {
  return {
    _id: laptop.id,
    productName: laptop.name,
    category_Id: laptop.brand,
    image: shown(laptop.images[0] ?? ''),
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
    history: history.map(auditOnTheWire),
    actions: !laptop.has_open ? [] : laptop.state === 'available' ? ['dismiss', 'takeDown'] : ['dismiss'],
  };
}
