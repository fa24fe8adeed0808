import {
  explainMovement,
  explanationsFor,
  type LedgerDifference,
  type MovementExplanation,
  type ShopMoney,
} from '#contract/money/accounting.ts';
import { formatCents } from '#contract/platform/money.ts';
import { DateTime } from '../../../../formats/date-time.tsx';
import { FormDialog } from '../../../../forms/request-form.tsx';
import { useWriteForm } from '../../../../forms/use-write-form.ts';
import { SmallButton } from '../../../../ui/button.tsx';
import { Field, Options, Select, TextArea } from '../../../../ui/field.tsx';
import { Section } from '../../../../ui/section.tsx';
import { actionColumn, type Column, nameColumn, Table } from '../../../../ui/table.tsx';

const kindNames: Readonly<Record<LedgerDifference['kind'], string>> = {
  missing_in_ledger: 'Missing in the ledger',
  missing_at_processor: 'Missing at the card processor',
  wrong_amount: 'Another amount',
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

const explanations: Readonly<Record<MovementExplanation, string>> = {
  fee: 'A fee or a tax of the card processor',
  own_money: 'The shop’s own money, such as a top-up',
  reserve: 'Held back by the card processor, or released',
  seller_loss: 'A debt of a seller’s account there, which nobody pays back',
  other_currency: 'Money in another currency, outside of the ledger',
  shop_loss: 'A loss of the shop, or money that makes one good',
  paid_by_hand: 'Passed on from the shop’s bank account, or paid back to it',
};

/** A button with a dialog that explains a movement which the shop does not know. */
function ExplainMovement({ difference }: { difference: LedgerDifference }) {
  const possible = explanationsFor(difference);
  const form = useWriteForm(explainMovement, {
    defaultValues: { explanation: possible[0] ?? 'own_money', note: '' },
    input: (body: { explanation: MovementExplanation; note: string }) => ({
      params: { _id: difference._id },
      body,
    }),
    done:
      difference.kind === 'other_currency'
        ? 'The movement is explained. It stays outside of the ledger.'
        : 'The movement is explained and posted.',
  });
  return (
    <>
      <SmallButton variant="tinted" aria-label={`Explain ${difference.reference}`} onClick={form.dialog.open}>
        Explain
      </SmallButton>
      <FormDialog
        form={form}
        title="Explain the movement"
        description={`The card processor calls ${difference.reference} “${difference.detail}”. Its page there says what it was.`}
        submit="Explain"
        busy="Posting"
      >
        <Field label="This was" {...form.field('explanation')}>
          <Select>
            <Options values={possible} label={(explanation) => explanations[explanation]} />
          </Select>
        </Field>
        <Field
          label="How you know it"
          {...form.field('note')}
          hint="It is kept in the audit trail. A posted explanation cannot be changed."
        >
          <TextArea required maxLength={500} />
        </Field>
      </FormDialog>
    </>
  );
}

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
    (difference) => explanationsFor(difference).length > 0 && <ExplainMovement difference={difference} />,
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
