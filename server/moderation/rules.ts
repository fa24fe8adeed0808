import type { AuditEntry, ReportedItem } from '#contract/moderation.ts';
import { dollarsFromCents } from '#contract/scalars.ts';
import type { AuditRow, ReportedLaptop, ReportRow } from './store.ts';

const productStates = {
  available: 'Available',
  sold: 'Sold',
  taken_down: 'Taken down',
  withdrawn: 'Withdrawn',
} as const;
const resolutions = { dismissed: 'Dismissed', taken_down: 'Taken down' } as const;

/** An audit entry as it travels. */
export function auditOnTheWire(row: AuditRow): AuditEntry {
  return {
    _id: row.id,
    adminName: row.admin_name,
    adminEmail: row.admin_email,
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
  const open = reports.some(({ resolution }) => resolution === null);
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
    state: open ? 'Open' : 'Resolved',
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
    actions: !open ? [] : laptop.state === 'available' ? ['dismiss', 'takeDown'] : ['dismiss'],
  };
}
