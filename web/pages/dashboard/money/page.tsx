import { useQuery } from '@tanstack/react-query';
import { href } from 'react-router';
import { listOwnSales, readOwnMoney, type SellerMoney } from '#contract/payouts.ts';
import { formatDollars } from '#contract/scalars.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { saleColumns } from '../../../payouts/sale-columns.tsx';
import { QueryView, StaleDataNotice } from '../../../requests/query-view.tsx';
import { useApi } from '../../../session/session.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { EmptyState, Skeleton } from '../../../ui/states.tsx';
import { MoneyHistory } from './money-history.tsx';
import { PayoutMethod } from './payout-method.tsx';

export const meta = () => privateMeta('Money');

const totals = [
  { name: 'held', label: 'Held', hint: 'Yours when the buyer has the laptop and is content.' },
  { name: 'due', label: 'On its way', hint: 'Released, and not paid to you yet.' },
  { name: 'paid', label: 'Paid', hint: 'Paid to you so far.' },
  { name: 'owed', label: 'You owe', hint: 'It is taken from your next sales.' },
] as const satisfies readonly { name: keyof SellerMoney; label: string; hint: string }[];

function Totals({ money }: { money: SellerMoney }) {
  // A debt is rare, so that it is shown only when there is one.
  const shown = totals.filter(({ name }) => name !== 'owed' || money.owed > 0);
  const columns = shown.length === 4 ? 'min-[30rem]:grid-cols-2 xl:grid-cols-4' : 'min-[40rem]:grid-cols-3';
  return (
    <dl className={`grid grid-cols-1 gap-3 ${columns}`}>
      {shown.map(({ name, label, hint }) => (
        <div
          key={name}
          className={`rounded-xl border p-4 ${name === 'owed' ? 'border-red bg-red-soft' : 'border-line bg-surface'}`}
        >
          <dt className="font-semibold text-sm">{label}</dt>
          <dd className="figures mt-1 font-semibold text-2xl">{formatDollars(money[name])}</dd>
          <dd className="mt-1 text-quiet text-sm">{hint}</dd>
        </div>
      ))}
    </dl>
  );
}

export default function Money() {
  const api = useApi();
  const money = useQuery({
    queryKey: ['money', 'totals'],
    queryFn: ({ signal }) => api.call(readOwnMoney, { signal }),
    refetchOnMount: 'always',
  });
  const sales = useList(['money', 'sales'], (query, signal) => api.page(listOwnSales, { query, signal }));
  return (
    <>
      <PageHeading title="Money">
        What you get for your sales: the price, less the shop’s commission and what went back to the buyer.
      </PageHeading>
      <div className="flex flex-col gap-8">
        <div>
          <StaleDataNotice query={money} />
          <QueryView
            query={money}
            what="your money"
            errorTitle="We could not load your money"
            skeleton={<Skeleton className="h-28" />}
          >
            {(data) => <Totals money={data} />}
          </QueryView>
        </div>
        <PayoutMethod />
        <MoneyHistory />
        <section aria-labelledby="sales">
          <h2 id="sales" className="mb-3 text-xl">
            Sales
          </h2>
          <ListTable
            list={sales}
            what="your sales"
            columns={saleColumns}
            empty={
              <EmptyState
                title="No sales yet"
                action={
                  <LinkButton variant="secondary" to={href('/dashboard/myProducts')}>
                    Go to My Products
                  </LinkButton>
                }
              >
                Each laptop that a buyer pays for appears here, with what you get of its price.
              </EmptyState>
            }
          />
        </section>
      </div>
    </>
  );
}
