import { href, Link } from 'react-router';
import type { ReceiptEntry, ReceiptKind } from '#contract/money/accounting.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { ShopDay } from '../formats/date-time.tsx';
import type { Column } from '../ui/table.tsx';

/** What a receipt of each kind is called. */
export const receiptNames: Readonly<Record<ReceiptKind, string>> = {
  sale: 'Receipt',
  sale_credit: 'Credit note',
  commission: 'Commission note',
  commission_credit: 'Commission credit note',
};

/** The name and number, with a link to the receipt. */
export const numberColumn: Column<ReceiptEntry> = {
  heading: 'Number',
  lead: true,
  cell: ({ number, kind }) => (
    <Link to={href('/dashboard/receipt/:number', { number })} className="block hover:underline">
      <span className="block font-semibold">{receiptNames[kind]}</span>
      <span className="figures text-muted text-sm">{number}</span>
    </Link>
  ),
};

/** What it is about: the laptop, the day and the amount. */
export const saleColumns: readonly Column<ReceiptEntry>[] = [
  { heading: 'Laptop', cell: ({ productName }) => <span className="wrap-anywhere">{productName}</span> },
  { heading: 'Date', cell: ({ date }) => <ShopDay date={date} /> },
  { heading: 'Amount', figures: true, cell: ({ amount }) => formatAmount(amount) },
];
