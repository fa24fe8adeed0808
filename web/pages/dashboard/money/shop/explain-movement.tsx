import {
  explainMovement,
  type LedgerDifference,
  type MovementExplanation,
} from '#contract/money/accounting.ts';
import { FormDialog } from '../../../../forms/request-form.tsx';
import { useWriteForm } from '../../../../forms/use-write-form.ts';
import { SmallButton } from '../../../../ui/button.tsx';
import { Field, Options, Select, TextArea } from '../../../../ui/field.tsx';

const explanations: Readonly<Record<MovementExplanation, string>> = {
  fee: 'A fee or a tax of the card processor',
  own_money: 'The shop’s own money, such as a top-up',
  reserve: 'Held back by the card processor, or released',
  seller_loss: 'A debt of a seller’s account there, which nobody pays back',
  other_currency: 'Money in another currency, outside of the ledger',
  shop_loss: 'A loss of the shop, or money that makes one good',
  paid_by_hand: 'Passed on from the shop’s bank account, or paid back to it',
};

const possibleOf = ({ kind, movement }: LedgerDifference): readonly MovementExplanation[] => {
  if (kind === 'other_currency') return ['other_currency'];
  return movement === 'other'
    ? ['fee', 'own_money', 'reserve', 'seller_loss']
    : ['shop_loss', 'paid_by_hand'];
};

/** A button with a dialog that explains a movement which the shop does not know. */
export function ExplainMovement({ difference }: { difference: LedgerDifference }) {
  const possible = possibleOf(difference);
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
