import type { CheckedDocument, SellerChecks } from '#contract/seller-checks.ts';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const dayOf = (at: string) => day.format(new Date(at));

const names: Readonly<Record<CheckedDocument, string>> = {
  address: 'a proof of address',
  identity: 'an identity document',
};

/** What the shop has checked of a seller, with the days, in one or two sentences; empty when nothing is known. */
export function describeSellerChecks({ verifiedAt, address, identity, phone }: SellerChecks): string {
  const dated = (name: string, at: string | null) => (at === null ? [] : [`${name} (${dayOf(at)})`]);
  const seen = [...dated(names.address, address), ...dated(names.identity, identity)];
  const verified = verifiedAt === null ? [] : [`Verified by the shop on ${dayOf(verifiedAt)}.`];
  return [
    ...(seen.length > 0 ? [`The shop has seen ${seen.join(' and ')}.`] : verified),
    ...(phone === null ? [] : [`Phone number confirmed on ${dayOf(phone)}.`]),
  ].join(' ');
}
