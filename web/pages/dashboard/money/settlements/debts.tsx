import {
  type Debt,
  type DebtSettlement,
  exportDebts,
  listDebtSettlements,
  listDebts,
  recordRepayment,
  writeOffDebt,
} from '#contract/money/settlements.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { DateTime } from '../../../../formats/date-time.tsx';
import { EmailAddress } from '../../../../formats/email-address.tsx';
import { ListTable, useList } from '../../../../lists/list-view.tsx';
import { DownloadButton } from '../../../../money/download-button.tsx';
import { useApi } from '../../../../session/session.tsx';
import { Section } from '../../../../ui/section.tsx';
import { actionColumn, type Column } from '../../../../ui/table.tsx';
import { RecordAmount } from './record-amount.tsx';

/** Records what a seller has paid back, or gives up what a seller owes. */
function ReduceDebt({ debt: { _id: sellerId, sellerName, owed } }: { debt: Debt }) {
  const amountHint = `${formatAmount(owed)} is owed. A part is possible.`;
  const common = { sellerName, amount: owed, amountHint };
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <RecordAmount
        {...common}
        action="Write off"
        variant="quiet"
        description={`The shop gives up what ${sellerName} owes, as an expense. That cannot be undone.`}
        asksFor="reason"
        endpoint={writeOffDebt}
        input={({ amount, reason }) => ({ body: { sellerId, amount, reason } })}
        done={`The debt of ${sellerName} is written off.`}
      />
      <RecordAmount
        {...common}
        action="Record repayment"
        variant="tinted"
        description={`The money of ${sellerName} has arrived in the shop’s bank account.`}
        asksFor="reference"
        endpoint={recordRepayment}
        input={({ amount, reference }) => ({ body: { sellerId, amount, reference } })}
        done={`The repayment of ${sellerName} is recorded.`}
      />
    </span>
  );
}

/** The column with a seller's name and email address. */
export const sellerColumn = {
  heading: 'Seller',
  lead: true,
  cell: ({ sellerName, sellerEmail }: { sellerName: string; sellerEmail: string }) => (
    <span className="block min-w-36 wrap-anywhere">
      <span className="font-semibold">{sellerName}</span>{' '}
      <span className="block text-muted text-sm">
        <EmailAddress>{sellerEmail}</EmailAddress>
      </span>
    </span>
  ),
};

const debtColumns: Column<Debt>[] = [
  sellerColumn,
  {
    heading: 'Owed',
    figures: true,
    cell: ({ owed }) => <strong className="font-semibold">{formatAmount(owed)}</strong>,
  },
  actionColumn((debt) => <ReduceDebt debt={debt} />),
];

const settlementColumns: Column<DebtSettlement>[] = [
  sellerColumn,
  { heading: 'What', cell: ({ kind }) => (kind === 'repaid' ? 'Repaid' : 'Written off') },
  { heading: 'Amount', figures: true, cell: ({ amount }) => formatAmount(amount) },
  { heading: 'Reference or reason', cell: ({ note }) => <span className="wrap-anywhere">{note}</span> },
  { heading: 'Recorded by', cell: ({ adminName }) => adminName },
  { heading: 'When', cell: ({ at }) => <DateTime at={at} /> },
];

/** The sellers who owe the shop, and what was repaid and given up. */
export function Debts() {
  const api = useApi();
  const debts = useList(listDebts);
  const settled = useList(listDebtSettlements);
  return (
    <>
      <section aria-labelledby="debts">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <h2 id="debts" className="text-xl">
            Sellers who owe the shop
          </h2>
          <DownloadButton label="Download debts as CSV" name="debts" read={() => api.call(exportDebts, {})} />
        </div>
        <p className="mb-4 max-w-prose text-muted">
          Money went back to a buyer after it had been paid to the seller. The next sales pay it, unless the
          seller repays it to the shop’s bank account.
        </p>
        <ListTable
          list={debts}
          what="the debts"
          columns={debtColumns}
          emptyTitle="Nobody owes the shop"
          empty="Debts of sellers appear here."
        />
      </section>
      <Section title="Repaid and written off" heading="mb-3 text-xl">
        <ListTable
          list={settled}
          what="the repayments"
          columns={settlementColumns}
          emptyTitle="No repayments yet"
          empty="Repaid and given up debts appear here."
        />
      </Section>
    </>
  );
}
