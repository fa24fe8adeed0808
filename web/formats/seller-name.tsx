import { href, Link } from 'react-router';
import type { Rating } from '#contract/people/ratings.ts';
import { ratedName } from './rating.ts';

interface SellerNameProps {
  name: string;
  /** Missing after the account has ended: then there is no page. */
  id: string | undefined;
  rating: Rating | undefined;
}

/** A seller's name with the rating, which leads to the seller's page. */
export function SellerName({ name, id, rating }: SellerNameProps) {
  if (id === undefined) return name;
  return (
    <Link
      to={href('/seller/:id', { id })}
      className="inline-block min-h-6 wrap-anywhere underline underline-offset-4"
    >
      {ratedName(name, rating)}
    </Link>
  );
}
