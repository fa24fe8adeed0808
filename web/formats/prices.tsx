import { centsFromDollars, dollarsFromCents, formatDollars } from '#contract/platform/money.ts';

/** The difference between two prices in dollars; null when the resale price is not lower. */
export function savedDollars(original: number, resale: number): number | null {
  const from = centsFromDollars(original);
  const to = centsFromDollars(resale);
  return from === null || to === null || from <= to ? null : dollarsFromCents(from - to);
}

/** The resale price, the struck-through original price and the saving. Prices in dollars. */
export function Prices({ original, resale }: { original: number; resale: number }) {
  const saved = savedDollars(original, resale);
  return (
    <p className="figures flex flex-wrap items-baseline gap-x-2.5">
      <span className="sr-only">Resale price </span>
      <strong className="font-display font-bold text-2xl">{formatDollars(resale)}</strong>
      <span className="sr-only">, original price </span>
      <s className="text-muted">{formatDollars(original)}</s>
      {saved !== null && (
        <span className="basis-full text-success text-sm">You save {formatDollars(saved)}</span>
      )}
    </p>
  );
}
