import { clockDays } from '#contract/money/order-states.ts';
import { type PayoutMethod, readPayoutAccount } from '#contract/money/payouts.ts';
import { formatDollars } from '#contract/platform/scalars.ts';
import { useRead } from '../requests/reads.ts';

/** What the shop keeps of a price, such as '5 % and $0.50 of the price'. */
function commissionText({ percent, fixed }: PayoutMethod['commission']): string {
  const parts = [percent > 0 && `${percent} % of the price`, fixed > 0 && formatDollars(fixed)];
  const kept = parts.filter((part) => part !== false);
  return kept.length === 0 ? 'nothing' : kept.join(' and ');
}

const payoutTimes: Readonly<Record<PayoutMethod['payoutAfter'], string>> = {
  release: 'You are paid when you enter the buyer’s code at the hand-over.',
  completed: `You are paid ${clockDays('released')} days after you enter the buyer’s code at the hand-over, when the time for complaints is over.`,
};

/** What selling costs, and when the seller is paid; nothing until it is known. */
export function SellerTerms() {
  const { data } = useRead(readPayoutAccount, {});
  if (data === undefined) return null;
  return (
    <>
      Listing is free. When a laptop is sold, the shop keeps {commissionText(data.commission)}, and holds the
      rest until the buyer has the laptop. {payoutTimes[data.payoutAfter]}
    </>
  );
}
