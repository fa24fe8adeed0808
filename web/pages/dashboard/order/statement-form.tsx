import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Problem } from '#contract/platform/client.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { MAXIMUM_STATEMENT_PHOTOS } from '#contract/sales/complaints.ts';
import { AmountField } from '../../../forms/amount-field.tsx';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { Choices } from '../../../forms/choices.tsx';
import { amountOrText } from '../../../forms/typed-amount.ts';
import { AttachedPhotos } from '../../../laptop-form/attached-photos.tsx';
import { usePhotoUploads } from '../../../laptop-form/use-photo-uploads.ts';
import { partOfPriceError } from '../../../orders/part-of-price.ts';
import { useRefresh } from '../../../requests/reads.ts';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { Field, FormFailure, TextArea } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { focusTarget, moveFocusTo } from '../../../ui/route-announcer.tsx';
import { toast } from '../../../ui/toast.tsx';

/** Something that a person can say or decide about an order. */
export interface Choice<Name extends string> {
  name: Name;
  label: string;
  /** What it does, in words. */
  consequence: string;
  /** Shown less than the others. */
  isQuiet?: boolean;
  /** The field for words. Left out: they are optional. */
  words?: {
    label: string;
    /** The error without words. Left out: they are optional. */
    required?: string;
  };
  /** Asks for a part of the price. */
  amountLabel?: string;
  hasPhotos?: boolean;
  submit: string;
  /** The button of the dialog that asks before it is sent. Left out: it is sent at once. */
  confirm?: string;
  /** Says afterwards that it was done. */
  done: string;
}

/** What was typed and attached. */
export interface Statement {
  text: string;
  /** Empty when the choice asks for none. */
  amount: string;
  /** The URLs of the uploaded photos. */
  photos: string[];
}

interface StatementFormProps<Name extends string> {
  legend: string;
  /** With one, no choice is shown. None: the order has moved on, and only the words that were not sent are shown. */
  choices: readonly Choice<Name>[];
  /** The order's price. */
  price: number;
  /** What is wrong with a typed amount; null for nothing. Left out: it must be less than the price. */
  amountError?: (typed: string) => string | null;
  /** Sends the statement. @throws Problem */
  send: (name: Name, statement: Statement) => Promise<unknown>;
}

/** The id of the heading that takes the focus when the form is gone or done. */
export const complaintHeading = 'complaint';

/** Focuses that heading, or the page's until there is a complaint, and scrolls to it. */
const focusComplaint = () => moveFocusTo(`#${complaintHeading}`);

/** What was typed when the order moved on, so that its author can copy it. */
function UnsentWords({ text }: { text: string }) {
  return (
    <Notice tone="info" role="status" className="flex max-w-2xl flex-col gap-2">
      <p>The order has moved on, and this cannot be sent any more. What you had written:</p>
      <p className="max-w-prose whitespace-pre-line wrap-anywhere">{text}</p>
    </Notice>
  );
}

/** A choice with words, an amount and photos. Nothing typed is lost when it cannot be sent, or when the choice changes. */
export function StatementForm<Name extends string>(props: StatementFormProps<Name>) {
  const { legend, choices, price, send } = props;
  const { amountError = (typed: string) => partOfPriceError(typed, price) } = props;
  const refresh = useRefresh('orders');
  const [name, setName] = useState<Name | null>(null);
  const [isChoiceMissing, setIsChoiceMissing] = useState(false);
  const [photos, setPhotos] = useState<readonly File[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isSent = useRef(false);
  const { uploads, uploadAll } = usePhotoUploads();
  const form = useForm({ defaultValues: { amount: '', text: '' } });
  const { errors } = form.formState;
  const choice = choices.length === 1 ? choices[0] : choices.find((one) => one.name === name);
  const words: NonNullable<Choice<Name>['words']> = choice?.words ?? { label: 'Your words' };

  const sending = useMutation({
    mutationFn: async (chosen: Choice<Name>) => {
      const { text, amount } = form.getValues();
      const urls = chosen.hasPhotos === true ? await uploadAll(photos) : [];
      return send(chosen.name, {
        text,
        amount: chosen.amountLabel === undefined ? '' : amountOrText(amount),
        // Files with the same content have the same URL.
        photos: [...new Set(urls)],
      });
    },
    onMutate: () => setFailure(null),
    onSuccess: async (_answer, chosen) => {
      isSent.current = true;
      toast.success(chosen.done);
      form.reset();
      setPhotos([]);
      setName(null);
      setIsChoiceMissing(false);
      await refresh();
      if (chosen.confirm === undefined) focusComplaint();
    },
    onError: async (error) => {
      // The order has moved on: the other side, the shop or the clock was faster.
      if (error instanceof Problem && (error.status === 404 || error.status === 409)) {
        toast.error(error.message);
        await refresh();
        focusComplaint();
      } else {
        setFailure(applyProblem(form, error));
      }
    },
    onSettled: () => setIsAsking(false),
  });

  const submit = form.handleSubmit(() => {
    if (choice === undefined) return setIsChoiceMissing(true);
    isSent.current = false;
    if (choice.confirm === undefined) sending.mutate(choice);
    else setIsAsking(true);
  });

  const photosError = sending.error instanceof Problem ? sending.error.errors.photos : undefined;
  const { amount, text } = form.watch();
  if (choices.length === 0) {
    // A live change can arrive before the response to what was sent.
    return sending.isPending || text.trim() === '' ? null : <UnsentWords text={text} />;
  }
  return (
    <form onSubmit={submit} noValidate className="flex max-w-2xl flex-col gap-5">
      {choices.length > 1 && (
        <Choices
          legend={legend}
          choices={choices}
          chosen={choice?.name ?? null}
          disabled={sending.isPending}
          error={isChoiceMissing && choice === undefined ? 'Choose one of these' : undefined}
          onChoose={(chosen) => {
            setName(chosen);
            form.clearErrors();
            setFailure(null);
          }}
        />
      )}
      {choices.length === 1 && <p className="max-w-prose">{choice?.consequence}</p>}
      {choice?.amountLabel !== undefined && (
        <AmountField
          control={form.control}
          name="amount"
          label={choice.amountLabel}
          className="max-w-xs"
          required
          readOnly={sending.isPending}
          validate={amountError}
        />
      )}
      {choice !== undefined && (
        <Field label={words.label} optional={words.required === undefined} error={errors.text?.message}>
          <TextArea
            autoComplete="off"
            required={words.required !== undefined}
            readOnly={sending.isPending}
            {...form.register('text', {
              validate: (typed) => (typed.trim() === '' ? (words.required ?? true) : true),
            })}
          />
        </Field>
      )}
      {choice?.hasPhotos === true && (
        <AttachedPhotos
          label="Photos"
          hint="Buyer, seller and the shop see them here."
          maximum={MAXIMUM_STATEMENT_PHOTOS}
          photos={photos}
          onChange={setPhotos}
          uploads={uploads}
          busy={sending.isPending}
          error={photosError}
        />
      )}
      <FormFailure message={photosError === undefined ? failure : null} />
      <Button
        type="submit"
        variant={choice?.confirm === undefined ? 'primary' : 'danger'}
        className="self-start"
        busy={sending.isPending && 'Sending'}
      >
        {choice?.submit ?? 'Send'}
      </Button>
      <AlertDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Are you sure?"
        message={
          <>
            <span className="block font-semibold text-foreground wrap-anywhere">
              {choice?.label}
              {choice?.amountLabel !== undefined && `: ${formatAmount(Number(amount))}`}
            </span>
            {choice?.consequence}
          </>
        }
        closeLabel="Cancel"
        confirm={{
          label: choice?.confirm ?? '',
          busy: sending.isPending && 'Sending',
          onConfirm: () => choice !== undefined && sending.mutate(choice),
        }}
        finalFocus={() => {
          if (!isSent.current) return true;
          const heading = focusTarget(`#${complaintHeading}`);
          // The dialog focuses it without scrolling.
          heading?.scrollIntoView({ block: 'nearest' });
          return heading;
        }}
      />
    </form>
  );
}
