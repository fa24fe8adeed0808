import type { SellerChecks } from '#contract/seller-checks.ts';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const names: Readonly<Record<Exclude<keyof SellerChecks, 'verifiedAt'>, string>> = {
  address: 'a proof of address',
  identity: 'an identity document',
};

/** What the shop has seen of a seller, with the days, as a sentence; empty when nothing is known. */
export function describeSellerChecks({ verifiedAt, address, identity }: SellerChecks): string {
  const dated = (name: string, at: string | null) =>
    at === null ? [] : [`${name} (${day.format(new Date(at))})`];
  const seen = [...dated(names.address, address), ...dated(names.identity, identity)];
  if (seen.length > 0) return `The shop has seen ${seen.join(' and ')}.`;
  return verifiedAt === null ? '' : `Verified by the shop on ${day.format(new Date(verifiedAt))}.`;
}
