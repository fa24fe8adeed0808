import type { CheckedDocument, SellerChecks } from '#contract/people/seller-checks.ts';
import { utcDay } from './utc-dates.ts';

const names: Readonly<Record<CheckedDocument, string>> = {
  address: 'a proof of address',
  identity: 'an identity document',
};

/** What the shop has checked of a seller, with the days, in one or two sentences; empty when nothing is known. */
export function describeSellerChecks({ verifiedAt, address, identity, phone }: SellerChecks): string {
  const dated = (name: string, at: string | null) => (at === null ? [] : [`${name} (${utcDay(at)})`]);
  const seen = [...dated(names.address, address), ...dated(names.identity, identity)];
  const verified = verifiedAt === null ? [] : [`Verified by the shop on ${utcDay(verifiedAt)}.`];
  return [
    ...(seen.length > 0 ? [`The shop has seen ${seen.join(' and ')}.`] : verified),
    ...(phone === null ? [] : [`Phone number confirmed on ${utcDay(phone)}.`]),
  ].join(' ');
}
