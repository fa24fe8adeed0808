import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  explainMovement,
  type LedgerDifference,
  type MovementExplanation,
} from '#contract/money/accounting.ts';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, FormFailure, Select, TextArea } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';

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

interface FormProps {
  difference: LedgerDifference;
  onBusyChange: (busy: boolean) => void;
  onClose: () => void;
}

function ExplanationForm({ difference, onBusyChange, onClose }: FormProps) {
  const api = useApi();
  const cache = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const possible = possibleOf(difference);
  const form = useForm({ defaultValues: { explanation: possible[0] ?? 'own_money', note: '' } });
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (body) => {
    setFailure(null);
    onBusyChange(true);
    try {
      await api.call(explainMovement, { params: { _id: difference._id }, body });
      toast.success(
        difference.kind === 'other_currency'
          ? 'The movement is explained. It stays outside of the ledger.'
          : 'The movement is explained and posted.',
      );
      onClose();
      void cache.invalidateQueries({ queryKey: ['shopMoney'] });
    } catch (error) {
      setFailure(applyProblem(form, error));
    } finally {
      onBusyChange(false);
    }
  });

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <Field label="This was" error={errors.explanation?.message}>
        <Select {...register('explanation')}>
          {possible.map((explanation) => (
            <option key={explanation} value={explanation}>
              {explanations[explanation]}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label="How you know it"
        error={errors.note?.message}
        hint="It is kept in the audit trail. A posted explanation cannot be changed."
      >
        <TextArea required maxLength={500} {...register('note')} />
      </Field>
      <FormFailure message={failure} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" disabled={isSubmitting} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={isSubmitting && 'Posting'}>
          Explain
        </Button>
      </div>
    </form>
  );
}

/** A button with a dialog that explains a movement which the shop does not know. */
export function ExplainMovement({ difference }: { difference: LedgerDifference }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  return (
    <>
      <Button
        size="small"
        variant="tinted"
        aria-label={`Explain ${difference.reference}`}
        onClick={() => setIsOpen(true)}
      >
        Explain
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={(open) => !open && !isBusy && setIsOpen(false)}
        title="Explain the movement"
        description={`The card processor calls ${difference.reference} “${difference.detail}”. Its page there says what it was.`}
      >
        <ExplanationForm difference={difference} onBusyChange={setIsBusy} onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}
