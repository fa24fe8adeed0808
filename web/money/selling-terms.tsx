import { clockDays } from '#contract/money/order-states.ts';
import type { Settings } from '#contract/operations/settings.ts';
import { formatDollars } from '#contract/platform/money.ts';
import { useSettings } from '../session/session.tsx';

/** What the shop keeps of a sale, as a sentence. */
export function commissionSentence({ percent, fixed }: Settings['selling']['commission']): string {
  const parts = [...(percent > 0 ? [`${percent}\u00a0%`] : []), ...(fixed > 0 ? [formatDollars(fixed)] : [])];
  return parts.length === 0
    ? 'Listing is free, and the shop keeps nothing of a sale.'
    : `Listing is free. Of each sale the shop keeps ${parts.join(' and ')}.`;
}

const payoutSentences: Record<Settings['selling']['payoutAfter'], string> = {
  completed: `You are paid ${clockDays('released')} days after the hand-over, when the time for complaints is over.`,
  release: 'You are paid after the hand-over, as soon as you have entered the buyer’s code.',
};

/** What selling costs, and when a seller is paid. */
export function SellingTerms() {
  const { commission, payoutAfter } = useSettings().selling;
  return (
    <>
      {commissionSentence(commission)} <span className="block">{payoutSentences[payoutAfter]}</span>
    </>
  );
}
