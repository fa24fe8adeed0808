import type { ReactNode } from 'react';
import { href } from 'react-router';
import {
  isAccountMissing,
  listOwnSales,
  readOwnMoney,
  readPayoutAccount,
  type SellerMoney,
} from '#contract/money/payouts.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { Day } from '../../../formats/date-time.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { saleColumns } from '../../../money/sale-columns.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { LinkButton, SecondaryLink } from '../../../ui/button.tsx';
import { Section } from '../../../ui/section.tsx';
import { PAYOUT_METHOD, PayoutMethod } from './payout-method.tsx';

/** How a seller repays what the shop is owed. */
function OwnDebt({ money: { owed, repayment } }: { money: SellerMoney }) {
  if (repayment === undefined) return null;
  const { payTo, reference } = repayment;
  return (
    <Section
      title={`You owe the shop ${formatAmount(owed)}`}
      className="mt-4 rounded-xl border border-danger bg-danger-soft p-5"
    >
      <p className="mt-1.5 max-w-prose">
        Money went back to a buyer after it had been paid to you, or a sale ended after its label was used.
        The shop takes back what it had paid from your account at the card processor, as far as that has it;
        your next sales pay the rest.{' '}
        {payTo === null
          ? 'To repay it now, reply to any email of the shop.'
          : 'To repay it now, transfer it:'}
      </p>
      {payTo !== null && (
        <dl className="mt-3 grid gap-x-4 gap-y-1 sm:grid-cols-[6rem_1fr]">
          <dt className="font-semibold">To</dt>
          <dd className="wrap-anywhere">{payTo}</dd>
          <dt className="font-semibold">Reference</dt>
          <dd className="figures wrap-anywhere">{reference}</dd>
        </dl>
      )}
      <p className="mt-3 max-w-prose text-muted text-sm">
        An admin records the payment when it has arrived, and you get an email.
      </p>
    </Section>
  );
}

interface TotalProps {
  label: string;
  amount: number;
  isProblem?: boolean;
  children: ReactNode;
}

function Total({ label, amount, isProblem = false, children }: TotalProps) {
  return (
    <div
      className={`rounded-xl border p-4 ${isProblem ? 'border-danger bg-danger-soft' : 'border-border bg-surface'}`}
    >
      <dt className="font-semibold text-sm">{label}</dt>
      <dd className="figures mt-1 font-semibold text-2xl">{formatAmount(amount)}</dd>
      <dd className="mt-1 text-muted text-sm">{children}</dd>
    </div>
  );
}

/** What can be paid now. Without an account at the card processor, nothing of it is on its way. */
function Due({ amount }: { amount: number }) {
  const { data: account } = useRead(readPayoutAccount, {});
  if (amount > 0 && account?.method === 'card_processor' && isAccountMissing(account.state)) {
    return (
      <Total label="Waiting for your account" amount={amount} isProblem>
        Released. The shop sends it as soon as the card processor can pay you.
        <LinkButton size="small" to={`#${PAYOUT_METHOD}`} className="mt-3 w-full">
          {account.state === 'none' ? 'Open your account' : 'Complete your account'}
        </LinkButton>
      </Total>
    );
  }
  return (
    <Total label="On its way" amount={amount}>
      Released, and not paid to you yet.
    </Total>
  );
}

/** The totals, in the order in which money moves. What is rare is shown only when there is some. */
function Totals({
  money: { held, disputed, waiting, stopped, unfinished, due, paid },
}: {
  money: SellerMoney;
}) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-3">
      <Total label="Held" amount={held}>
        Yours when the buyer has the laptop and is content.
      </Total>
      {disputed !== undefined && (
        <Total label="Disputed" amount={disputed} isProblem>
          A buyer’s bank disputes the payment. Yours if the bank decides for the shop, which can take months.
        </Total>
      )}
      {waiting !== undefined && (
        <Total label="Paid later" amount={waiting.amount}>
          Yours, and paid to you when the time for complaints is over: the first part after{' '}
          <Day at={waiting.from} />.
        </Total>
      )}
      {stopped !== undefined && (
        <Total label="Held back" amount={stopped.amount} isProblem>
          {stopped.isDisputed
            ? 'A buyer’s bank disputes the payment of a sale of yours. Nothing is paid to you until it has decided, which can take months.'
            : 'A buyer has complained. It is paid to you if the complaint ends for you.'}
        </Total>
      )}
      {unfinished !== undefined && (
        <Total label="From insurances" amount={unfinished}>
          Paid for a lost or damaged parcel. It is paid to you when the sale is over, unless the parcel is
          found.
        </Total>
      )}
      <Due amount={due} />
      <Total label="Paid" amount={paid}>
        Paid to you so far.
      </Total>
    </dl>
  );
}

export default function Money() {
  const money = useRead(readOwnMoney, {}, { refetchOnMount: 'always' });
  return (
    <>
      <PageHeading
        title="Money"
        action={<SecondaryLink to={href('/dashboard/receipts')}>Receipts</SecondaryLink>}
      >
        What you get for your sales: the price, less the shop’s commission, its labels and what went back to
        the buyer.
      </PageHeading>
      <div className="flex flex-col gap-8">
        <div>
          <QueryView query={money} what="your money" skeleton="h-28">
            {(data) => (
              <>
                <Totals money={data} />
                <OwnDebt money={data} />
              </>
            )}
          </QueryView>
        </div>
        <PayoutMethod />
        <Section title="Sales" heading="mb-3 text-xl">
          <ListTable
            endpoint={listOwnSales}
            what="your sales"
            columns={saleColumns}
            emptyTitle="No sales yet"
            emptyAction={<SecondaryLink to={href('/dashboard/myProducts')}>Go to My Products</SecondaryLink>}
            empty="Each laptop that a buyer pays for appears here, with what you get of its price."
          />
        </Section>
      </div>
    </>
  );
}
