import type { ShopFigures } from '#contract/sales/shop-figures.ts';
import { formatCount } from '../../formats/counts.ts';
import { FactList } from '../../ui/fact-list.tsx';

/** What became of the shop's latest sales. */
export function Figures({
  figures: { sales, complaints, refunded, medianDaysToDecide },
}: {
  figures: ShopFigures;
}) {
  // Rounded up, so that the sentence stays true.
  const days = medianDaysToDecide === null ? null : Math.max(1, Math.ceil(medianDaysToDecide));
  const entries = [
    ['Sales counted', formatCount(sales)],
    ['With a complaint', formatCount(complaints)],
    ['Money went back to the buyer', formatCount(refunded)],
    ...(days === null
      ? []
      : [['Half of the complaints were decided within', days === 1 ? '1 day' : `${days} days`]]),
  ] as const;
  return (
    <>
      <h3 className="mt-5 text-xl">What became of the latest sales</h3>
      <FactList
        columns="@3xs:grid-cols-[1fr_auto]"
        facts={entries.map(([name, value]) => ({
          name,
          value: <span className="font-bold font-display text-xl">{value}</span>,
        }))}
      />
      <p className="mt-2 text-muted text-sm">Counted from the shop’s own books.</p>
    </>
  );
}
