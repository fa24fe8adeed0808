import { href, Link } from 'react-router';

interface OrderBetweenProps {
  /** The order's id. */
  id: string;
  productName: string;
  buyerName: string;
  sellerName: string;
}

/** The cell that leads to an order and says between whom it is. */
export function OrderBetween({ id, productName, buyerName, sellerName }: OrderBetweenProps) {
  return (
    <span className="min-w-20">
      <Link
        to={href('/dashboard/order/:id', { id })}
        className="font-semibold leading-snug wrap-anywhere hover:underline"
      >
        {productName}
      </Link>
      <span className="mt-0.5 block text-muted text-sm wrap-anywhere">
        {buyerName} bought from {sellerName}
      </span>
    </span>
  );
}
