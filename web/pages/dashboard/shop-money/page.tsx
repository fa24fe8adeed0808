import { href, Link } from 'react-router';
import { readShopMoney, type ShopMoney } from '#contract/money/accounting.ts';
import { formatCents } from '#contract/platform/money.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { ShopMoneyTabs } from '../../../money/shop-money-tabs.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { Section } from '../../../ui/section.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { MoneyChart, MonthsTable } from './chart.tsx';
import { Differences } from './differences.tsx';
import { Exports } from './exports.tsx';

export const meta = privateMeta('Shop Money');

interface Figure {
  name: string;
  value: string;
  explanation: string;
  /** The page that lists what the figure sums up. */
  page?: { to: string; label: string };
}

/** The balances, in the order in which money passes them. */
const figuresOf = (money: ShopMoney): Figure[] => [
  {
    name: 'Held',
    value: formatCents(money.heldCents),
    explanation: 'Paid by buyers and not released yet',
  },
  {
    name: 'Released',
    value: formatCents(money.releasedCents),
    explanation: 'Credited to sellers, less what went back to buyers',
  },
  {
    name: 'Due',
    value: formatCents(money.dueCents),
    explanation: 'Owed to sellers; Settlements says what can be paid now',
    page: { to: href('/dashboard/settlements'), label: 'Settlements' },
  },
  {
    name: 'Owed by sellers',
    value: formatCents(money.owedCents),
    explanation: 'Paid out, and taken back by a refund or a bank',
    page: { to: `${href('/dashboard/settlements')}#debts`, label: 'Debts' },
  },
  { name: 'Paid out', value: formatCents(money.paidOutCents), explanation: 'To sellers so far' },
  {
    name: 'Refunds due',
    value: formatCents(money.refundsDueCents),
    explanation: 'Decided and not made yet, or failed',
  },
  {
    name: 'Disputed',
    value: formatCents(money.disputedCents),
    explanation: 'Withdrawn by banks until they decide',
  },
  { name: 'Commission', value: formatCents(money.commissionCents), explanation: 'Earned so far' },
  {
    name: 'Fees',
    value: formatCents(money.feesCents),
    explanation: 'Of the card processor, until the last comparison',
  },
  {
    name: 'Lost disputes',
    value: formatCents(money.lostDisputesCents),
    explanation: 'Which the shop bears',
  },
  { name: 'Goodwill', value: formatCents(money.goodwillCents), explanation: 'Given to buyers by the shop' },
  { name: 'Shipping', value: formatCents(money.shippingCents), explanation: 'Labels that the shop bears' },
  {
    name: 'Advanced labels',
    value: formatCents(money.labelAdvancesCents),
    explanation: 'Of sellers, until their sales are over',
  },
  {
    name: 'Carriers',
    value: formatCents(money.carrierPayableCents),
    explanation: 'Owed to them for labels and insurance',
  },
  {
    name: 'Written off',
    value: formatCents(money.writtenOffCents),
    explanation: 'Debts of sellers, given up',
  },
  {
    name: 'Card processor',
    value: formatCents(money.processorCents),
    explanation: 'The shop’s balance there, by the ledger',
  },
  {
    name: 'Reserved',
    value: formatCents(money.reservedCents),
    explanation: 'Held back by the card processor',
  },
  {
    name: 'Unexplained',
    value: formatCents(money.suspenseCents),
    explanation: 'Movements there that the shop does not know',
  },
  {
    name: 'Open complaints',
    value: String(money.openComplaints),
    explanation: 'Orders that wait',
    page: { to: href('/dashboard/complaints'), label: 'Complaints' },
  },
  { name: 'Open disputes', value: String(money.openDisputes), explanation: 'Orders that wait for a bank' },
];

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
