import { type Debt, recordRepayment, writeOffDebt } from '#contract/money/settlements.ts';
import { formatDollars } from '#contract/platform/scalars.ts';
import { useApi } from '../../../session/session.tsx';
import { RecordAmount } from './record-amount.tsx';

interface ReduceDebtProps {
  debt: Debt;
  /** Refetches the lists. */
  refresh: () => Promise<void>;
}

/** What recording a repayment and writing off have in common. */
const commonOf = ({ debt: { sellerName, owed }, refresh }: ReduceDebtProps) =>
  ({
    sellerName,
    amount: owed,
    amountHint: `${formatDollars(owed)} is owed. A part is possible.`,
    outdated: 'more_than_owed',
    refresh,
  }) as const;

/** Records what a seller has paid back. */
export function RecordRepayment(props: ReduceDebtProps) {
  const api = useApi();
  const { _id: sellerId, sellerName } = props.debt;
  return (
    <RecordAmount
      {...commonOf(props)}
      action="Record repayment"
      variant="tinted"
      description={`The money of ${sellerName} has arrived in the shop’s bank account.`}
      asksFor="reference"
      keyName={`repaid:${sellerId}`}
      send={({ amount, reference }, idempotencyKey) =>
        api.call(recordRepayment, { body: { sellerId, amount, reference }, idempotencyKey })
      }
      done={`The repayment of ${sellerName} is recorded.`}
    />
  );
}

/** Gives up what a seller owes. */
export function WriteOffDebt(props: ReduceDebtProps) {
  const api = useApi();
  const { _id: sellerId, sellerName } = props.debt;
  return (
    <RecordAmount
      {...commonOf(props)}
      action="Write off"
      variant="quiet"
      description={`The shop gives up what ${sellerName} owes, as an expense. That cannot be undone.`}
      asksFor="reason"
      keyName={`written-off:${sellerId}`}
      send={({ amount, reason }, idempotencyKey) =>
        api.call(writeOffDebt, { body: { sellerId, amount, reason }, idempotencyKey })
      }
      done={`The debt of ${sellerName} is written off.`}
    />
  );
}
