import type { Row } from '#server/platform/database/tables.ts';

/** A listing of the machine that is compared, with what says whether its seller may have it. */
export interface MachineListing {
  id: string;
  sellerId: string;
  /** The seller's telephone number. */
  phone: string;
  state: Row<'laptops'>['state'];
  /** When the listing was first measured with the serial number that is compared. */
  firstMeasuredAt: Date;
  /** Whether somebody reported it as stolen, and no admin dismissed the report. */
  isStolen: boolean;
}

/** The latest sale of a machine. */
export interface LastSale {
  sellerId: string;
  /** Null without an order that stands. */
  buyerId: string | null;
  /** The telephone number that the buyer gave with it; null when there is none. */
  buyerPhone: string | null;
}

/** A listing to report, with the reason in words. */
export interface Finding {
  laptopId: string;
  otherLaptopId: string;
  note: string;
}

/** A time in UTC, to the minute. */
const formatMinute = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const sameSerial = 'Both laptops report the same maker and serial number.';

/**
 * Which of two listings was measured first with the serial number. A seller who copies the serial number of another listing
 * is the later one.
 */
function measurementOrder(listing: MachineListing, other: MachineListing): string {
  const own = formatMinute(listing.firstMeasuredAt);
  const others = formatMinute(other.firstMeasuredAt);
  return listing.firstMeasuredAt < other.firstMeasuredAt
    ? `This listing was measured with it first, on ${own}; the other on ${others}.`
    : `The other listing was measured with it first, on ${others}; this one on ${own}.`;
}

/** The last nine digits before an extension, which are the same with and without the country's code; null for a number that was removed. */
function phoneKey(phone: string): string | null {
  const digits = phone.replace(/(;| )ext.*/, '').replace(/\D/g, '');
  return digits.length < 7 ? null : digits.slice(-9);
}

/**
 * Whether a seller is the person who bought the machine last, with this account or with another one. Two accounts have the
 * telephone number in common that was given with the paid order. The seller who sold the machine knows this number too, and is
 * never taken for its buyer.
 */
function isLastBuyer(listing: MachineListing, last: LastSale | null): boolean {
  if (last === null || last.sellerId === listing.sellerId) return false;
  if (last.buyerId === listing.sellerId) return true;
  if (last.buyerPhone === null) return false;
  const phone = phoneKey(listing.phone);
  return phone !== null && phone === phoneKey(last.buyerPhone);
}

/** Why a listing for sale must be looked at, beside another one of the same machine; null when there is no reason. */
function refusal(listing: MachineListing, other: MachineListing, lastSale: LastSale | null): string | null {
  const isOwn = listing.sellerId === other.sellerId;
  if (other.isStolen) return 'The other listing was reported as stolen.';
  if (other.state === 'available') {
    return isOwn
      ? 'The same seller offers it in two listings at the same time.'
      : 'Another seller offers it at the same time.';
  }
  if (other.state === 'blocked') return 'A lock was found on it in the other listing.';
  // Selling what one has bought is what the shop is for.
  if (isLastBuyer(listing, lastSale)) return null;
  if (other.state === 'sold') {
    return isOwn
      ? 'The same seller has already sold it here.'
      : 'It was sold here to a person who gave another telephone number. If that buyer sells it now, the reports can be dismissed.';
  }
  if (other.state === 'taken_down') return 'The other listing was taken down.';
  return isOwn ? null : 'Another seller had listed it and withdrew it.';
}

/**
 * The listings for sale of one machine that must be looked at, of one listing beside others. Two listings for sale are both reported,
 * because only an admin can say which of them is right.
 * @param own the listing that is compared
 * @param others of the same machine, in any state
 * @param lastSale the latest sale of the machine in any listing; null without one
 */
export function sameMachineFindings(
  own: MachineListing,
  others: readonly MachineListing[],
  lastSale: LastSale | null,
): Finding[] {
  const findings = (listing: MachineListing, other: MachineListing): Finding[] => {
    const reason = listing.state === 'available' ? refusal(listing, other, lastSale) : null;
    if (reason === null) return [];
    const note = `${sameSerial} ${measurementOrder(listing, other)} ${reason}`;
    return [{ laptopId: listing.id, otherLaptopId: other.id, note }];
  };
  return others.flatMap((other) => [...findings(own, other), ...findings(other, own)]);
}

/** A part's number that more listings have is a placeholder of its maker. */
export const MAXIMUM_LISTINGS_OF_PART = 4;

/** The note about two listings for sale whose laptops have a board, a drive or a security chip in common. */
export const samePartNote =
  'The board or a drive of both laptops reports the same serial number, or their security chips (TPM) have the same key, and both are for sale. A drive may have been moved from one to the other, or both were measured with the same drive.';

/** The note about a photo that another seller's listing shows as well. */
export const samePhotoNote =
  'Another seller’s listing shows this photo, perhaps resized, recompressed or slightly cropped. Photos must show the laptop that is for sale.';
