import { readOwnDebt } from '#contract/money/settlements.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { useRead } from '../../../requests/reads.ts';
import { Section } from '../../../ui/section.tsx';

/** How a seller repays what the shop is owed. */
export function OwnDebt() {
  const debt = useRead(readOwnDebt, {}, { refetchOnMount: 'always' });
  if (debt.data === undefined || debt.data.owed === 0) return null;
  const { payTo, reference } = debt.data;
  return (
    <Section
      title={`You owe the shop ${formatAmount(debt.data.owed)}`}
      className="mt-4 rounded-xl border border-danger bg-danger-soft p-5"
    >
      <p className="mt-1.5 max-w-prose">
        Money went back to a buyer after it had been paid to you, or a sale ended after its label was used.
        The shop takes back what it had paid from your account at the card processor, as far as that has it;
        your next sales pay the rest.{' '}
        {payTo === null
          ? 'To repay it now, reply to any email of the shop.'
          : 'To repay it now, transfer it:'}
      </p>
      {payTo !== null && (
        <dl className="mt-3 grid gap-x-4 gap-y-1 sm:grid-cols-[6rem_1fr]">
          <dt className="font-semibold">To</dt>
          <dd className="wrap-anywhere">{payTo}</dd>
          <dt className="font-semibold">Reference</dt>
          <dd className="figures wrap-anywhere">{reference}</dd>
        </dl>
      )}
      <p className="mt-3 max-w-prose text-muted text-sm">
        An admin records the payment when it has arrived, and you get an email.
      </p>
    </Section>
  );
}
