// The shop's name in what a seller writes, where it would look like a check or a place of the shop.

import { namesTheShop, skeleton } from '#contract/people/name-rules.ts';
import { Refusal } from '#server/platform/http/refusal.ts';

/** Texts of a listing that stand beside what the shop itself says of the laptop. */
interface Texts {
  name?: string;
  location?: string;
  use_time?: string;
  posted_time?: string | undefined;
  /** By photo. */
  captions?: Readonly<Record<string, string>> | undefined;
  /** The notes among it, and a description without fields, are shown as the seller's words. */
  description?: string | Readonly<Record<string, string | undefined>>;
}

/** The texts by the fields of the form. */
function byField({ captions = {}, description = '', ...texts }: Texts): [field: string, text: string][] {
  const { name, location, use_time, posted_time } = texts;
  const { Notes: _, ...configuration } = typeof description === 'string' ? {} : description;
  return Object.entries({
    ...{ name, location, use_time, posted_time, captions: Object.values(captions).join('\n') },
    ...Object.fromEntries(Object.entries(configuration).map(([key, text]) => [`description.${key}`, text])),
  }).flatMap(([field, text]) => (text === undefined ? [] : [[field, text]]));
}

/** A shop can have the name of its town, in which its sellers live. */
const withoutTown = (place: string, shop: string): string =>
  place
    .split(',')
    .filter((part) => skeleton(part.trim()) !== skeleton(shop))
    .join(',');

/**
 * Requires that the shop's name stands in a listing's notes only.
 * @param shop the shop's name
 * @param present what the listing says now. It can keep that: the shop may have had another name
 * @throws Refusal with an error at each field
 */
export function requireNoShopName(texts: Texts, shop: string, present: Texts = {}): void {
  const kept = new Map(byField(present));
  const fields = byField(texts)
    .filter(([field, text]) => kept.get(field) !== text)
    .filter(([field, text]) => namesTheShop(field === 'location' ? withoutTown(text, shop) : text, shop))
    .map(([field]) => field);
  if (fields.length === 0) return;
  const refusal = 'The name of this shop can stand in the notes only';
  throw new Refusal('invalid_input', `${refusal}: elsewhere it looks like a check by the shop.`, {
    errors: Object.fromEntries(fields.map((field) => [field, refusal])),
  });
}
