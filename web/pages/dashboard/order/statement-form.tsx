import { type FormEvent, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { formatAmount } from '#contract/platform/scalars.ts';
import { MAXIMUM_STATEMENT_PHOTOS } from '#contract/sales/complaints.ts';
import { AmountField } from '../../../forms/amount-field.tsx';
import { Choices } from '../../../forms/choices.tsx';
import { useDraft } from '../../../forms/draft.ts';
import { RequestForm, useRequestForm } from '../../../forms/request-form.tsx';
import { amountOrText } from '../../../forms/typed-amount.ts';
import { AttachedPhotos } from '../../../laptop-form/attached-photos.tsx';
import { usePhotoUploads } from '../../../laptop-form/use-photo-uploads.ts';
import { partOfPriceError } from '../../../orders/part-of-price.ts';
import { useRefetch } from '../../../requests/reads.ts';
import { isOutdated } from '../../../requests/use-write.ts';
import { DRAFTS_KEY } from '../../../session/forget-private-data.ts';
import { usePerson } from '../../../session/session.tsx';
import { AlertDialog } from '../../../ui/dialog.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
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

const Typed = z.object({ choice: z.string(), text: z.string(), amount: z.string() });
const empty = { choice: '', text: '', amount: '', photos: [] };

/** The draft of a statement. @param about the id of its order or complaint @param kind what is said about it */
export function useStatementDraft(about: string, kind: string) {
  const { email } = usePerson();
  return useDraft(`${DRAFTS_KEY}${email}:statement:${about}:${kind}`, Typed);
}

interface StatementFormProps<Name extends string> {
  legend: string;
  /** With one, no choice is shown. None: the order has moved on, and only the words that were not sent are shown. */
  choices: readonly Choice<Name>[];
  draft: ReturnType<typeof useStatementDraft>;
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

interface Values extends z.output<typeof Typed> {
  photos: readonly File[];
}

/**
 * A choice with words, an amount and photos. Nothing typed is lost when it cannot be sent, or when the choice changes; the draft keeps
 * all but the photos.
 */
export function StatementForm<Name extends string>(props: StatementFormProps<Name>) {
  const { legend, choices, draft, price, send } = props;
  const { amountError = (typed: string) => partOfPriceError(typed, price) } = props;
  const refresh = useRefetch('orders');
  const [isChoiceMissing, setIsChoiceMissing] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const isSent = useRef(false);
  const { uploads, uploadAll } = usePhotoUploads();
  const form = useRequestForm<Values>(
    async ({ text, amount, photos }) => {
      if (choice === undefined) return false;
      const urls = choice.hasPhotos === true ? await uploadAll(photos) : [];
      await send(choice.name, {
        text,
        amount: choice.amountLabel === undefined ? '' : amountOrText(amount),
        // Files with the same content have the same URL.
        photos: [...new Set(urls)],
      });
      toast.success(choice.done);
    },
    {
      defaultValues: empty,
      draft,
      // The order has moved on: the other side, the shop or a deadline was faster.
      closesOn: isOutdated,
      onClose: async (isDone) => {
        isSent.current = isDone;
        if (isDone) {
          form.reset(empty);
          setIsChoiceMissing(false);
        }
        await refresh();
        if (!isDone || choice?.confirm === undefined) focusComplaint();
      },
    },
  );
  const { errors, isSubmitting } = form;
  const { choice: name, amount, text, photos } = form.watch();
  const choice = choices.length === 1 ? choices[0] : choices.find((one) => one.name === name);
  const words: NonNullable<Choice<Name>['words']> = choice?.words ?? { label: 'Your words' };

  function submit(event: FormEvent<HTMLFormElement>) {
    isSent.current = false;
    if (choice?.confirm !== undefined) {
      form.clearErrors();
      void form.handleSubmit(() => setIsAsking(true))(event);
    } else if (choice !== undefined) void form.submit(event);
    else {
      event.preventDefault();
      setIsChoiceMissing(true);
    }
  }

  if (choices.length === 0) {
    // A live change can arrive before the response to what was sent.
    if (isSubmitting || text.trim() === '') return null;
    return (
      <Notice tone="info" role="status" className="flex max-w-2xl flex-col gap-2">
        <p>The order has moved on, and this cannot be sent any more. What you had written:</p>
        <p className="max-w-prose whitespace-pre-line wrap-anywhere">{text}</p>
      </Notice>
    );
  }
  return (
    <RequestForm
      form={{ ...form, props: { ...form.props, onSubmit: submit } }}
      submit={choice?.submit ?? 'Send'}
      busy="Sending"
      variant={choice?.confirm === undefined ? 'primary' : 'danger'}
      buttonClass="self-start"
      className="flex max-w-2xl flex-col gap-5"
    >
      {choices.length > 1 && (
        <Choices
          legend={legend}
          choices={choices}
          chosen={choice?.name ?? null}
          disabled={isSubmitting}
          error={isChoiceMissing && choice === undefined ? 'Choose one of these' : undefined}
          onChoose={(chosen) => {
            form.setValue('choice', chosen);
            form.clearErrors();
            form.setFailure(null);
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
          readOnly={isSubmitting}
          validate={amountError}
        />
      )}
      {choice !== undefined && (
        <Field
          label={words.label}
          optional={words.required === undefined}
          {...form.field('text', {
            validate: (typed) => (typed.trim() === '' ? (words.required ?? true) : true),
          })}
        >
          <TextArea autoComplete="off" required={words.required !== undefined} readOnly={isSubmitting} />
        </Field>
      )}
      {choice?.hasPhotos === true && (
        <AttachedPhotos
          label="Photos"
          hint="Buyer, seller and the shop see them here."
          maximum={MAXIMUM_STATEMENT_PHOTOS}
          photos={photos}
          onChange={(chosen) => form.setValue('photos', chosen)}
          uploads={uploads}
          busy={isSubmitting}
          error={errors.photos?.message}
        />
      )}
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
          busy: isSubmitting && 'Sending',
          onConfirm: () => void form.submit().finally(() => setIsAsking(false)),
        }}
        finalFocus={() => {
          if (!isSent.current) return true;
          const heading = focusTarget(`#${complaintHeading}`);
          // The dialog focuses it without scrolling.
          heading?.scrollIntoView({ block: 'nearest' });
          return heading;
        }}
      />
    </RequestForm>
  );
}
