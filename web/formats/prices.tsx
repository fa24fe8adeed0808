import { amountFromCents, centsFromAmount, formatAmount } from '#contract/platform/money.ts';

/** The difference between two prices; null when the resale price is not lower. */
export function savedAmount(original: number, resale: number): number | null {
  const from = centsFromAmount(original);
  const to = centsFromAmount(resale);
  return from === null || to === null || from <= to ? null : amountFromCents(from - to);
}

/** The resale price, the struck-through original price and the saving. Prices. */
export function Prices({ original, resale }: { original: number; resale: number }) {
  const saved = savedAmount(original, resale);
  return (
    <p className="figures flex flex-wrap items-baseline gap-x-2.5">
      <span className="sr-only">Resale price </span>
      <strong className="font-display font-bold text-2xl">{formatAmount(resale)}</strong>
      <span className="sr-only">, original price </span>
      <s className="text-muted">{formatAmount(original)}</s>
      {saved !== null && (
        <span className="basis-full text-success text-sm">You save {formatAmount(saved)}</span>
      )}
    </p>
  );
}
