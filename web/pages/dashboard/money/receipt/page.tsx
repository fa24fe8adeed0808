import type { ReactNode } from 'react';
import { href, useParams } from 'react-router';
import { type Receipt, readReceipt, type ShopIdentity } from '#contract/money/accounting.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { readOrder } from '#contract/sales/orders.ts';
import { AddressLines } from '../../../../formats/address-lines.tsx';
import { ShopDay } from '../../../../formats/date-time.tsx';
import styles from '../../../../money/print.css?url';
import { PrintButton } from '../../../../money/print-button.tsx';
import { receiptNames } from '../../../../money/receipt-columns.tsx';
import { QueryView } from '../../../../requests/query-view.tsx';
import { useRead } from '../../../../requests/reads.ts';
import { useRoles } from '../../../../session/roles.ts';
import { LinkButton } from '../../../../ui/button.tsx';

export const links = () => [{ rel: 'stylesheet', href: styles }];

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 border-border border-b py-2.5 sm:grid-cols-[10rem_1fr]">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}

/** What a receipt says about tax: the shop does not know the taxes of its sellers. */
const taxNoteOf = ({ tax, taxNote }: Receipt, isForSeller: boolean): string => {
  if (isForSeller) return `Confirms the shop’s commission.${tax === null ? ' It states no tax.' : ''}`;
  const sale =
    'Confirms the payment through the shop. The laptop is sold by the seller; this is no tax invoice of the seller.';
  return taxNote === null ? sale : `${sale} ${taxNote}`;
};

/** What the amount is for, by the kind of receipt. */
const reasons: Readonly<Record<Receipt['kind'], string>> = {
  sale: 'Paid',
  sale_credit: 'Refunded',
  commission: 'Commission',
  commission_credit: 'Commission refunded',
};

/** The shop, as far as it was configured when the receipt was issued. */
function Issuer({ issuer }: { issuer: ShopIdentity }) {
  const { name, legalName, address, registerNumber, taxId } = issuer;
  return (
    <div>
      <p className="font-display font-bold text-lg">{name}</p>
      {legalName !== null && <p>{legalName}</p>}
      {address !== null && <p>{address}</p>}
      {registerNumber !== null && <p>Register number: {registerNumber}</p>}
      {taxId !== null && <p>Tax number: {taxId}</p>}
    </div>
  );
}

/** Where the laptop was sent, until the address is erased; not for admins, whose reading of an order is recorded. */
function ShippedTo({ orderId }: { orderId: string }) {
  const roles = useRoles();
  const isEnabled = roles.status === 'known' && !roles.isAdmin;
  const order = useRead(readOrder, { params: { _id: orderId } }, { enabled: isEnabled });
  const lines = order.data?.shipTo?.lines;
  if (lines === undefined) return null;
  return (
    <Fact name="Sent to">
      <AddressLines lines={lines} />
    </Fact>
  );
}

/** A receipt as it is printed. */
function PrintedReceipt({ receipt }: { receipt: Receipt }) {
  const isForSeller = receipt.kind === 'commission' || receipt.kind === 'commission_credit';
  return (
    <article data-printed aria-labelledby="receipt" className="card max-w-2xl">
      <Issuer issuer={receipt.issuer} />
      <h1 id="receipt" className="mt-4 text-2xl">
        {receiptNames[receipt.kind]} <span className="figures whitespace-nowrap">{receipt.number}</span>
      </h1>
      <dl className="mt-4">
        <Fact name="Date">
          <ShopDay date={receipt.date} />
        </Fact>
        <Fact name="To">{receipt.recipientName}</Fact>
        <Fact name="Laptop">{receipt.productName}</Fact>
        <Fact name={isForSeller ? 'Buyer' : 'Seller'}>
          {isForSeller ? receipt.buyerName : receipt.sellerName}
        </Fact>
        {!isForSeller && <ShippedTo orderId={receipt.orderId} />}
        {receipt.corrects !== null && (
          <Fact name="Corrects">
            <span className="figures">{receipt.corrects}</span>
          </Fact>
        )}
        <Fact name="Payment">{receipt.transactionId}</Fact>
        <Fact name={reasons[receipt.kind]}>
          <strong className="figures font-display text-xl">{formatAmount(receipt.amount)}</strong>
        </Fact>
        {receipt.tax !== null && (
          <Fact name={`Including ${receipt.tax.percent} % ${receipt.tax.name}`}>
            <span className="figures">{formatAmount(receipt.tax.amount)}</span>
          </Fact>
        )}
      </dl>
      <p className="mt-4 text-muted text-sm">{taxNoteOf(receipt, isForSeller)}</p>
    </article>
  );
}

export default function ReceiptPage() {
  const { number = '' } = useParams();
  const receipt = useRead(readReceipt, { params: { number } });
  return (
    <>
      <div className="mb-6 flex flex-wrap gap-3">
        <PrintButton />
        <LinkButton variant="quiet" size="small" to={href('/dashboard/receipts')}>
          All receipts
        </LinkButton>
      </div>
      <QueryView query={receipt} what="this receipt" skeleton="h-96 max-w-2xl" back="receipts">
        {(data) => <PrintedReceipt receipt={data} />}
      </QueryView>
    </>
  );
}
