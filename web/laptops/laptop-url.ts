import { slugOf } from '#contract/listings/slug.ts';

/** The path of a laptop's page. */
export function laptopUrl({ _id, name }: { _id: string; name: string }): string {
  return `/laptop/${_id}/${slugOf(name)}`;
}
