import { href, Link } from 'react-router';

interface OrderBetweenProps {
  /** The order's id; undefined for a payment that bought nothing. */
  id: string | undefined;
  sale: { productName: string; buyerName: string; sellerName: string };
}

/** The cell that leads to an order and says between whom it is. */
export function OrderBetween({ id, sale: { productName, buyerName, sellerName } }: OrderBetweenProps) {
  const name = 'font-semibold leading-snug wrap-anywhere';
  return (
    <span className="min-w-20">
      {id === undefined ? (
        <span className={name}>{productName}</span>
      ) : (
        <Link to={href('/dashboard/order/:id', { id })} className={`${name} hover:underline`}>
          {productName}
        </Link>
      )}
      <span className="mt-0.5 block text-muted text-sm wrap-anywhere">
        {buyerName} {id === undefined ? 'paid for the laptop of' : 'bought from'} {sellerName}
      </span>
    </span>
  );
}
