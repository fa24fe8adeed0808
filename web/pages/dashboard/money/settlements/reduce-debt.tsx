import { type Debt, recordRepayment, writeOffDebt } from '#contract/money/settlements.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { RecordAmount } from './record-amount.tsx';

interface ReduceDebtProps {
  debt: Debt;
}

/** What recording a repayment and writing off have in common. */
const commonOf = ({ debt: { sellerName, owed } }: ReduceDebtProps) =>
  ({
    sellerName,
    amount: owed,
    amountHint: `${formatAmount(owed)} is owed. A part is possible.`,
  }) as const;

/** Records what a seller has paid back. */
export function RecordRepayment(props: ReduceDebtProps) {
  const { _id: sellerId, sellerName } = props.debt;
  return (
    <RecordAmount
      {...commonOf(props)}
      action="Record repayment"
      variant="tinted"
      description={`The money of ${sellerName} has arrived in the shop’s bank account.`}
      asksFor="reference"
      endpoint={recordRepayment}
      input={({ amount, reference }) => ({ body: { sellerId, amount, reference } })}
      done={`The repayment of ${sellerName} is recorded.`}
    />
  );
}

/** Gives up what a seller owes. */
export function WriteOffDebt(props: ReduceDebtProps) {
  const { _id: sellerId, sellerName } = props.debt;
  return (
    <RecordAmount
      {...commonOf(props)}
      action="Write off"
      variant="quiet"
      description={`The shop gives up what ${sellerName} owes, as an expense. That cannot be undone.`}
      asksFor="reason"
      endpoint={writeOffDebt}
      input={({ amount, reason }) => ({ body: { sellerId, amount, reason } })}
      done={`The debt of ${sellerName} is written off.`}
    />
  );
}
