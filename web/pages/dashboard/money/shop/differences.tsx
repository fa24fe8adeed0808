import type { LedgerDifference, ShopMoney } from '#contract/money/accounting.ts';
import { formatCents } from '#contract/platform/money.ts';
import { DateTime } from '../../../../formats/date-time.tsx';
import { Section } from '../../../../ui/section.tsx';
import { actionColumn, type Column, nameColumn, Table } from '../../../../ui/table.tsx';
import { ExplainMovement } from './explain-movement.tsx';

const kindNames: Readonly<Record<LedgerDifference['kind'], string>> = {
  missing_in_ledger: 'Missing in the ledger',
  missing_at_processor: 'Missing at the card processor',
  wrong_amount: 'Another amount',
  payment_without_order: 'Payment without an order',
  unknown_movement: 'Unknown movement',
  other_currency: 'In another currency',
};

const movementNames: Readonly<Record<LedgerDifference['movement'], string>> = {
  payment: 'Payment',
  refund: 'Refund of',
  dispute: 'Dispute of',
  transfer: 'Transfer',
  transfer_reversal: 'Reversals of',
  other: 'Movement',
};

/** An amount at the card processor, in the shop's currency or the movement's own. */
const atProcessor = ({ kind, processorCents, detail }: LedgerDifference): string =>
  kind === 'other_currency' ? `${(processorCents / 100).toFixed(2)} ${detail}` : formatCents(processorCents);

const columns: Column<LedgerDifference>[] = [
  nameColumn('Difference', ({ kind }) => kindNames[kind]),
  {
    heading: 'Movement',
    cell: ({ movement, reference, detail }) => (
      <span className="wrap-anywhere">
        {movementNames[movement]} {reference}
        {detail !== '' && <span className="block text-muted text-sm">{detail}</span>}
      </span>
    ),
  },
  { heading: 'In the ledger', figures: true, cell: ({ ledgerCents }) => formatCents(ledgerCents) },
  { heading: 'At the processor', figures: true, cell: atProcessor },
  { heading: 'Found', cell: ({ foundAt }) => <DateTime at={foundAt} /> },
  actionColumn(
    (difference) =>
      (difference.movement === 'other' || difference.kind === 'unknown_movement') && (
        <ExplainMovement difference={difference} />
      ),
  ),
];

/** What the ledger and the card processor do not agree about. */
export function Differences({ money }: { money: ShopMoney }) {
  const { comparedAt, differences, openDifferences } = money;
  return (
    <Section title="Differences from the card processor" className="mt-10">
      <p className="mt-1.5 mb-4 max-w-prose text-muted">
        {comparedAt === null ? (
          'The ledger was not compared with the card processor yet. That happens once a day.'
        ) : (
          <>
            Compared once a day, last <DateTime at={comparedAt} />.{' '}
            {openDifferences === 0
              ? 'The ledger and the card processor agree.'
              : 'docs/money.md says what to do about each kind.'}
          </>
        )}
      </p>
      {differences.length > 0 && (
        <Table
          caption="Differences from the card processor"
          columns={columns}
          rows={differences}
          rowKey={({ _id }) => _id}
        />
      )}
      {openDifferences > differences.length && (
        <p className="mt-3 text-muted">
          The newest {differences.length} of {openDifferences}.
        </p>
      )}
    </Section>
  );
}
