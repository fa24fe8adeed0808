import { href, Link } from 'react-router';
import { readShopMoney, type ShopMoney } from '#contract/money/accounting.ts';
import { formatCents } from '#contract/platform/money.ts';
import { PageHeading } from '../../../../layout/page-heading.tsx';
import { ShopMoneyTabs } from '../../../../money/shop-money-tabs.tsx';
import { QueryView } from '../../../../requests/query-view.tsx';
import { useRead } from '../../../../requests/reads.ts';
import { Section } from '../../../../ui/section.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { MoneyChart, MonthsTable } from './chart.tsx';
import { Differences } from './differences.tsx';
import { Exports } from './exports.tsx';

interface Figure {
  name: string;
  value: string;
  explanation: string;
  /** The page that lists what the figure sums up. */
  page?: { to: string; label: string };
}

const figure = (name: string, cents: number, explanation: string, page?: Figure['page']): Figure => ({
  ...{ name, value: formatCents(cents), explanation },
  ...(page && { page }),
});

/** The balances, in the order in which money passes them. */
function figuresOf(money: ShopMoney): Figure[] {
  const settlements = { to: href('/dashboard/settlements'), label: 'Settlements' };
  const debts = { to: `${settlements.to}#debts`, label: 'Debts' };
  const complaints = { to: href('/dashboard/complaints'), label: 'Complaints' };
  return [
    figure('Held', money.heldCents, 'Paid by buyers and not released yet'),
    figure('Released', money.releasedCents, 'Credited to sellers, less what went back to buyers'),
    figure('Due', money.dueCents, 'Owed to sellers; Settlements says what can be paid now', settlements),
    figure('Owed by sellers', money.owedCents, 'Paid out, and taken back by a refund or a bank', debts),
    figure('Paid out', money.paidOutCents, 'To sellers so far'),
    figure('Refunds due', money.refundsDueCents, 'Decided and not made yet, or failed'),
    figure('Disputed', money.disputedCents, 'Withdrawn by banks until they decide'),
    figure('Commission', money.commissionCents, 'Earned so far'),
    figure('Fees', money.feesCents, 'Of the card processor, until the last comparison'),
    figure('Lost disputes', money.lostDisputesCents, 'Which the shop bears'),
    figure('Goodwill', money.goodwillCents, 'Given to buyers by the shop'),
    figure('Shipping', money.shippingCents, 'Labels that the shop bears'),
    figure('Advanced labels', money.labelAdvancesCents, 'Of sellers, until their sales are over'),
    figure('Carriers', money.carrierPayableCents, 'Owed to them for labels and insurance'),
    figure('Written off', money.writtenOffCents, 'Debts of sellers, given up'),
    figure('Card processor', money.processorCents, 'The shop’s balance there, by the ledger'),
    figure('Reserved', money.reservedCents, 'Held back by the card processor'),
    figure('Unexplained', money.suspenseCents, 'Movements there that the shop does not know'),
    {
      ...{ name: 'Open complaints', value: String(money.openComplaints), explanation: 'Orders that wait' },
      page: complaints,
    },
    {
      name: 'Open disputes',
      value: String(money.openDisputes),
      explanation: 'Orders that wait for a bank',
      ...(money.openDisputes > 0 && { page: { to: href('/dashboard'), label: 'What waits for you' } }),
    },
  ];
}

function Figures({ money }: { money: ShopMoney }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.25rem),1fr))] gap-3 md:grid-cols-3 xl:grid-cols-4">
      {figuresOf(money).map(({ name, value, explanation, page }) => (
        <div key={name} className="card">
          <dt className="text-muted text-sm">{name}</dt>
          <dd>
            <strong className="figures mt-1 block font-display text-xl wrap-anywhere">{value}</strong>
            <span className="mt-1 block text-muted text-sm">{explanation}</span>
            {page !== undefined && (
              <Link
                to={page.to}
                className="mt-1 inline-flex min-h-6 items-center font-semibold text-link text-sm"
              >
                {page.label}
              </Link>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The shop's balances, its months, and the differences from the card processor. */
export default function ShopMoneyPage() {
  const money = useRead(readShopMoney, {}, { refetchOnMount: 'always' });
  return (
    <>
      <PageHeading title="Shop Money">
        Where the money of all sales is, according to the shop’s ledger.
      </PageHeading>
      <ShopMoneyTabs />
      <QueryView query={money} what="the shop’s money">
        {(data) => (
          <>
            {data.months.length === 0 ? (
              <EmptyState title="No money has moved yet">
                The figures appear here with the first sale.
              </EmptyState>
            ) : (
              <>
                <Figures money={data} />
                <Section title="By month" heading="mb-4 text-xl" className="mt-10">
                  <div className="flex flex-col gap-6">
                    <MoneyChart months={data.months} />
                    <MonthsTable months={data.months} />
                  </div>
                </Section>
              </>
            )}
            <Differences money={data} />
            <Exports />
          </>
        )}
      </QueryView>
    </>
  );
}
