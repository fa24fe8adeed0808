import type { ShopBrand } from '#contract/listings/brands.ts';
import { skeleton } from '#contract/people/name-rules.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { brandImage } from '../catalogue/rules.ts';

/** Letters of Cyrillic and Greek that look like P. The skeleton of people's names has them as R, as which they sound. */
const likeP = /[РрΡρ]/g;

/** What a reader sees of a brand's name: names with the same one look alike, also in other case, spacing and signs. */
export const skeletonOf = (name: string): string =>
  skeleton(name.replace(likeP, 'p')).replace(/[^\p{L}\p{N}]+/gu, '');

/** A brand with what the shop has of it. */
export interface BrandRow extends Pick<Row<'brands'>, 'id' | 'category_id' | 'image' | 'hidden_since'> {
  for_sale: number;
  former_names: string[];
}

export const toResponse = (row: BrandRow, origin: string): ShopBrand => ({
  _id: row.id,
  category_Id: row.category_id,
  image: brandImage(row, origin),
  hasLogo: row.image !== null,
  hidden: row.hidden_since !== null,
  forSale: row.for_sale,
  formerNames: row.former_names,
});

/** What a change of a brand was, for the audit trail; empty when nothing was changed. */
export function describeChange(
  before: Pick<Row<'brands'>, 'category_id' | 'image' | 'hidden_since'>,
  after: { name: string; image: string | null; hidden: boolean },
): string {
  const isHidden = before.hidden_since !== null;
  return [
    before.category_id === after.name ? [] : `Called ${before.category_id} before.`,
    before.image === after.image ? [] : after.image === null ? 'Logo removed.' : 'Logo replaced.',
    isHidden === after.hidden ? [] : after.hidden ? 'Hidden.' : 'Shown again.',
  ]
    .flat()
    .join(' ');
}
