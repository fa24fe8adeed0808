import { formatAmount } from '#contract/platform/money.ts';
import { Badge } from '../ui/badge.tsx';
import { savedAmount } from './prices.ts';

interface PriceFactsProps {
  /** MoneyAmount, like `resale`. */
  original: number;
  resale: number;
  /** Whether nobody can buy it any more: the saving is not shown. */
  isSold?: boolean;
}

/** Both prices with their labels, and the saving. */
export function PriceFacts({ original, resale, isSold = false }: PriceFactsProps) {
  const saved = isSold ? null : savedAmount(original, resale);
  return (
    <div className="@container">
      <div className="figures flex flex-wrap items-end gap-x-6 gap-y-2">
        {/* Two rows, so that the labels share a baseline and the prices another; below each other with large text. */}
        <dl className="grid @3xs:grid-flow-col @3xs:grid-rows-[auto_auto] items-baseline justify-start gap-x-6 [&>div]:contents">
          <div>
            <dt className="text-muted text-sm">Resale Price</dt>
            <dd className="font-bold font-display text-3xl leading-tight tracking-tight">
              {formatAmount(resale)}
            </dd>
          </div>
          <div>
            <dt className="text-muted text-sm">Original Price</dt>
            <dd className="text-lg text-muted">
              <s>{formatAmount(original)}</s>
            </dd>
          </div>
        </dl>
        {saved !== null && <Badge tone="good">You save {formatAmount(saved)}</Badge>}
      </div>
    </div>
  );
}
