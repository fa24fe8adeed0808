import { useState } from 'react';
import {
  type AmountDue,
  type Debt,
  exportAmountsDue,
  listAmountsDue,
  listDebts,
  listSalesOfSeller,
  listSettlements,
  type Settlement,
} from '#contract/money/settlements.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { DateTime } from '../../../../formats/date-time.tsx';
import { DownloadButton } from '../../../../forms/download-button.tsx';
import { PageHeading } from '../../../../layout/page-heading.tsx';
import { ListTable } from '../../../../lists/list-view.tsx';
import { csvFile } from '../../../../money/csv.ts';
import { saleColumns } from '../../../../money/sale-columns.tsx';
import { ShopMoneyTabs } from '../../../../money/shop-money-tabs.tsx';
import { SmallButton } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Section } from '../../../../ui/section.tsx';
import { actionColumn, type Column } from '../../../../ui/table.tsx';
import { RecordSettlement, sellerColumn } from './record-settlement.tsx';

/** A button that shows from which sales an amount comes. */
function SalesOfSeller({ amount }: { amount: AmountDue }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <SmallButton
        variant="quiet"
        aria-label={`Sales of ${amount.sellerName}`}
        onClick={() => setIsOpen(true)}
      >
        Sales
      </SmallButton>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={`Sales of ${amount.sellerName}`}>
        <ListTable
          endpoint={listSalesOfSeller}
          parameters={{ params: { _id: amount._id } }}
          what="the seller’s sales"
          columns={saleColumns}
          emptyTitle="No sales"
          empty="This seller has sold nothing."
        />
      </Dialog>
    </>
  );
}

/** What cannot be paid yet, and why. */
function HeldBack({ amount: { waiting, stopped, unfinished } }: { amount: AmountDue }) {
  if (waiting === undefined && stopped === undefined && unfinished === undefined)
    return <span className="text-muted">None</span>;
  return (
    <span className="flex flex-col items-end gap-1">
      {waiting !== undefined && (
        <span>
          {formatAmount(waiting)} <span className="block text-muted text-sm">complaints are possible</span>
        </span>
      )}
      {stopped !== undefined && (
        <span>
          {formatAmount(stopped.amount)}{' '}
          <span className="block text-danger text-sm">
            {stopped.isDisputed ? 'a bank disputes a payment' : 'a complaint is open'}
          </span>
        </span>
      )}
      {unfinished !== undefined && (
        <span>
          {formatAmount(unfinished)}{' '}
          <span className="block text-muted text-sm">of an insurance, the sale is not over</span>
        </span>
      )}
    </span>
  );
}

const dueColumns: Column<AmountDue>[] = [
  sellerColumn,
  {
    heading: 'Due',
    figures: true,
    cell: ({ due, hasEnded }) => (
      <>
        <strong className="font-semibold">{formatAmount(due)}</strong>
        {hasEnded && (
          <span className="block text-danger text-sm">
            the account has ended, so it is not transferred: decide whether you pay it
          </span>
        )}
      </>
    ),
  },
  { heading: 'Not yet', figures: true, cell: (amount) => <HeldBack amount={amount} /> },
  actionColumn((amount) => (
    <span className="flex flex-wrap justify-end gap-2">
      <SalesOfSeller amount={amount} />
      {amount.due > 0 && <RecordSettlement kind="paid" seller={amount} amount={amount.due} />}
    </span>
  )),
];

const debtColumns: Column<Debt>[] = [
  sellerColumn,
  {
    heading: 'Owed',
    figures: true,
    cell: ({ owed }) => <strong className="font-semibold">{formatAmount(owed)}</strong>,
  },
  actionColumn((debt) => (
    <span className="flex flex-wrap justify-end gap-2">
      <RecordSettlement kind="written_off" seller={debt} amount={debt.owed} />
      <RecordSettlement kind="repaid" seller={debt} amount={debt.owed} />
    </span>
  )),
];

const kindNames = {
  paid: 'Paid by hand',
  repaid: 'Repaid',
  written_off: 'Written off',
} as const satisfies Record<Settlement['kind'], string>;

const settlementColumns: Column<Settlement>[] = [
  sellerColumn,
  { heading: 'What', cell: ({ kind }) => kindNames[kind] },
  { heading: 'Amount', figures: true, cell: ({ amount }) => formatAmount(amount) },
  { heading: 'Reference or reason', cell: ({ note }) => <span className="wrap-anywhere">{note}</span> },
  { heading: 'Recorded by', cell: ({ adminName }) => adminName },
  { heading: 'When', cell: ({ at }) => <DateTime at={at} /> },
];

export default function Settlements() {
  return (
    <>
      <PageHeading
        title="Settlements"
        action={
          <DownloadButton
            label="Download as CSV"
            read={async ({ call }) => {
              const { exportedAt, lines } = await call(exportAmountsDue, {});
              return csvFile(`amounts-due-${exportedAt.slice(0, 10)}`, lines);
            }}
          />
        }
      >
        What the shop owes to sellers of released sales, and what of it can be paid now. Pay a seller from the
        shop’s bank account, then mark the amount as paid here: the seller gets an email with the reference.
        Sellers with an account at the card processor are paid by transfers: pay by hand only the others.
      </PageHeading>
      <ShopMoneyTabs />
      <div className="flex flex-col gap-10">
        <ListTable
          endpoint={listAmountsDue}
          what="the amounts due"
          columns={dueColumns}
          emptyTitle="Nothing is due"
          empty="When a sale is released, its seller appears here with the amount to pay."
        />
        <Section
          title="Sellers who owe the shop"
          id="debts"
          hint="Money went back to a buyer after it had been paid to the seller. The next sales pay it, unless the seller repays it to the shop’s bank account."
        >
          <ListTable
            endpoint={listDebts}
            what="the debts"
            columns={debtColumns}
            emptyTitle="Nobody owes the shop"
            empty="Debts of sellers appear here."
          />
        </Section>
        <Section title="Recorded by admins" heading="mb-3 text-xl">
          <ListTable
            endpoint={listSettlements}
            what="the recorded payments"
            columns={settlementColumns}
            emptyTitle="Nothing is recorded yet"
            empty="What was marked as paid, repaid or written off appears here."
          />
        </Section>
      </div>
    </>
  );
}
