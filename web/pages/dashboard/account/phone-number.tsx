import { useEffect, useState } from 'react';
import type { OwnPhone, PhoneCodeState } from '#contract/people/phone-checks.ts';
import { Day } from '../../../formats/date-time.tsx';
import { useRequestForm } from '../../../forms/use-request-form.ts';
import { QueryError } from '../../../requests/query-view.tsx';
import { useRoles } from '../../../session/roles.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, FormFailure, TextInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Section } from './section.tsx';
import { withToast } from './use-account.ts';
import { useOwnPhone, usePhoneRequests } from './use-own-phone.ts';

type Code = NonNullable<OwnPhone['code']>;

const hour = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });

const progress: Readonly<Record<PhoneCodeState, (code: Code) => string>> = {
  sending: ({ phone }) => `A code is being sent to ${phone}.`,
  sent: ({ phone, expiresAt }) =>
    `A code was sent to ${phone}. You can type it until ${hour.format(new Date(expiresAt))}.`,
  not_sent: ({ phone }) =>
    `The code could not be sent to ${phone}: the service that sends messages refused it or cannot be reached. Nothing was changed. Please check the number, or try again in a few minutes.`,
  uncertain: ({ phone }) =>
    `It is not certain whether the code to ${phone} was sent. If it has not arrived in a minute, please ask for another one.`,
};

interface NumberFormProps {
  /** The number with which the form begins. */
  phone: string;
  onSent: () => void;
  /** Goes back to what was shown before; undefined when that was nothing. */
  onCancel: (() => void) | undefined;
}

/** The form that asks for a code. */
function NumberForm({ phone, onSent, onCancel }: NumberFormProps) {
  const { askCode } = usePhoneRequests();
  const { register, submit, errors, isSubmitting, failure } = useRequestForm<{ phone: string }>(
    async (values) => {
      await askCode(values.phone);
      onSent();
    },
    { phone },
  );
  return (
    <form onSubmit={submit} noValidate className="flex w-full max-w-md flex-col gap-5">
      <Field
        label="Phone Number"
        error={errors.phone?.message}
        hint="With + and the country code, such as +351 912 345 678"
      >
        <TextInput
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          {...register('phone', {
            validate: (value) => value.trim() !== '' || 'Phone Number is required',
          })}
        />
      </Field>
      <FormFailure message={failure} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="secondary" busy={isSubmitting && 'Asking'}>
          Send a code
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

interface CodeFormProps {
  code: Code;
  /** Whether the field takes the focus, because the form that had it is gone. */
  takesFocus: boolean;
  onConfirmed: () => void;
  /** Shows the form for another number. */
  onOther: () => void;
}

/** The form for the code that was sent. */
function CodeForm({ code, takesFocus, onConfirmed, onOther }: CodeFormProps) {
  const { askCode, confirm } = usePhoneRequests();
  const { register, setFocus, submit, errors, isSubmitting, failure, reset } = useRequestForm<{
    code: string;
  }>(
    async (values) => {
      await confirm(values.code.trim());
      onConfirmed();
    },
    { code: '' },
  );
  useEffect(() => {
    if (takesFocus) setFocus('code');
  }, [takesFocus, setFocus]);
  const [isAsking, setIsAsking] = useState(false);
  const askAgain = async () => {
    setIsAsking(true);
    // The typed code is one of the message before.
    await withToast(
      askCode(code.phone).then(() => reset()),
      () => 'Another code is being sent. The previous one no longer works.',
    );
    setIsAsking(false);
  };
  return (
    <form onSubmit={submit} noValidate className="flex w-full max-w-md flex-col gap-5">
      <Field label="Code" error={errors.code?.message} hint="The six digits of the message">
        <TextInput
          inputMode="numeric"
          autoComplete="one-time-code"
          {...register('code', {
            required: 'A code is required',
            pattern: { value: /^\s*\d{3} ?\d{3}\s*$/, message: 'A code has six digits' },
          })}
        />
      </Field>
      <FormFailure message={failure} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isSubmitting && 'Checking'}>
          Confirm the number
        </Button>
        <Button variant="secondary" onClick={askAgain} busy={isAsking && 'Asking'}>
          Send another code
        </Button>
        <Button variant="quiet" onClick={onOther}>
          Use another number
        </Button>
      </div>
    </form>
  );
}

interface ConfirmedNumberProps {
  confirmed: NonNullable<OwnPhone['confirmed']>;
  /** Shows the form for another number; undefined when the shop sends no codes. */
  onChange: (() => void) | undefined;
}

function ConfirmedNumber({ confirmed, onChange }: ConfirmedNumberProps) {
  const { remove } = usePhoneRequests();
  const [isRemoving, setIsRemoving] = useState(false);
  const removeNumber = async () => {
    setIsRemoving(true);
    await withToast(
      remove(),
      () => 'Your phone number was removed. Buyers no longer see that it is confirmed.',
    );
    setIsRemoving(false);
  };
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <span className="figures">{confirmed.phone}</span>
        <Badge tone="good">
          Confirmed on <Day at={confirmed.confirmedAt} />
        </Badge>
      </p>
      <div className="flex flex-wrap gap-3">
        {onChange && (
          <Button variant="secondary" size="small" onClick={onChange}>
            Change the number
          </Button>
        )}
        <Button
          variant="danger"
          size="small"
          aria-label="Remove the phone number"
          onClick={removeNumber}
          busy={isRemoving && 'Removing'}
        >
          Remove
        </Button>
      </div>
    </>
  );
}

/** The number and what can be done with it now. */
function PhoneSteps({ own: { offered, confirmed, code } }: { own: OwnPhone }) {
  const [isTypingNumber, setIsTypingNumber] = useState(false);
  const [hasAsked, setHasAsked] = useState(false);
  // Kept for the form, which is shown again when the code has ended.
  const [lastNumber, setLastNumber] = useState(code?.phone ?? '');
  const sentTo = code?.phone;
  useEffect(() => {
    if (sentTo !== undefined) setLastNumber(sentTo);
  }, [sentTo]);
  const isWaiting = code !== null && code.state !== 'not_sent' && !isTypingNumber;
  const showsForm = offered && !isWaiting && (isTypingNumber || confirmed === null || code !== null);
  return (
    <>
      {confirmed && (
        <ConfirmedNumber
          confirmed={confirmed}
          onChange={offered && !showsForm && !isWaiting ? () => setIsTypingNumber(true) : undefined}
        />
      )}
      <p role="status" className="max-w-prose empty:sr-only">
        {code !== null && !isTypingNumber && progress[code.state](code)}
      </p>
      {isWaiting && (
        <CodeForm
          code={code}
          takesFocus={hasAsked}
          onConfirmed={() => toast.success('Your phone number is confirmed.')}
          onOther={() => setIsTypingNumber(true)}
        />
      )}
      {showsForm && (
        <NumberForm
          phone={lastNumber === confirmed?.phone ? '' : lastNumber}
          onSent={() => {
            setHasAsked(true);
            setIsTypingNumber(false);
          }}
          onCancel={isTypingNumber ? () => setIsTypingNumber(false) : undefined}
        />
      )}
    </>
  );
}

function SellerPhone() {
  const query = useOwnPhone();
  const own = query.data;
  if (own === undefined) {
    return query.isError ? (
      <Section title="Phone number">
        <QueryError query={query} title="We could not load your phone number" />
      </Section>
    ) : null;
  }
  if (!own.offered && own.confirmed === null) return null;
  return (
    <Section title="Phone number">
      <p className="max-w-prose text-muted">
        If you are a verified seller, buyers see that your phone number is confirmed and since which day. The
        number itself is shown only to you and to the shop’s admins.
      </p>
      <PhoneSteps own={own} />
    </Section>
  );
}

/** The confirmed telephone number of a seller; nothing for others, and in a shop that sends no codes. */
export function PhoneNumber() {
  const roles = useRoles();
  return roles.status === 'known' && roles.isSeller ? <SellerPhone /> : null;
}
