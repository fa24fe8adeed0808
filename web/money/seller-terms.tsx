import { deadlineDays } from '#contract/money/order-states.ts';
import type { Settings } from '#contract/operations/settings.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { useSettings } from '../session/session.tsx';

/** What the shop keeps of a price, such as '5 % and $0.50 of the price'. */
export function commissionText({ percent, fixed }: Settings['selling']['commission']): string {
  const parts = [percent > 0 && `${percent} % of the price`, fixed > 0 && formatAmount(fixed)];
  const kept = parts.filter((part) => part !== false);
  return kept.length === 0 ? 'nothing' : kept.join(' and ');
}

const payoutTimesOf = (): Readonly<Record<Settings['selling']['payoutAfter'], string>> => ({
  release: `You are paid when you enter the buyer’s code at the hand-over, or ${deadlineDays('delivered')} days after your parcel has arrived.`,
  completed: `You are paid ${deadlineDays('released')} days after you enter the buyer’s code at the hand-over or your parcel has arrived, when the time for complaints is over.`,
});

/** What selling costs, and when the seller is paid. */
export function SellerTerms() {
  const { commission, payoutAfter } = useSettings().selling;
  return (
    <>
      Listing is free. When a laptop is sold, the shop keeps {commissionText(commission)}, and holds the money
      until the buyer has the laptop. {payoutTimesOf()[payoutAfter]}
    </>
  );
}
