import { type AmountDue, settleByHand } from '#contract/money/settlements.ts';
import { formatDollars } from '#contract/platform/scalars.ts';
import { useApi } from '../../../session/session.tsx';
import { RecordAmount } from './record-amount.tsx';

interface MarkAsPaidProps {
  amount: AmountDue;
  /** Refetches the lists. */
  refresh: () => Promise<void>;
}

/** Records a payment to a seller. */
export function MarkAsPaid({ amount: { _id: sellerId, sellerName, due }, refresh }: MarkAsPaidProps) {
  const api = useApi();
  return (
    <RecordAmount
      action="Mark as paid"
      variant="tinted"
      sellerName={sellerName}
      description={`You have paid ${sellerName} from the shop’s bank account.`}
      amount={due}
      amountHint={`${formatDollars(due)} is due. A part is possible.`}
      asksFor="reference"
      outdated="more_than_due"
      keyName={`settle:${sellerId}`}
      send={({ amount, reference }, idempotencyKey) =>
        api.call(settleByHand, { body: { sellerId, amount, reference }, idempotencyKey })
      }
      done={`The payment to ${sellerName} is recorded.`}
      refresh={refresh}
    />
  );
}
