import { type AmountDue, settleByHand } from '#contract/money/settlements.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { RecordAmount } from './record-amount.tsx';

interface MarkAsPaidProps {
  amount: AmountDue;
}

/** Records a payment to a seller. */
export function MarkAsPaid({ amount: { _id: sellerId, sellerName, due } }: MarkAsPaidProps) {
  return (
    <RecordAmount
      action="Mark as paid"
      variant="tinted"
      sellerName={sellerName}
      description={`You have paid ${sellerName} from the shop’s bank account.`}
      amount={due}
      amountHint={`${formatAmount(due)} is due. A part is possible.`}
      asksFor="reference"
      endpoint={settleByHand}
      input={({ amount, reference }) => ({ body: { sellerId, amount, reference } })}
      done={`The payment to ${sellerName} is recorded.`}
    />
  );
}
