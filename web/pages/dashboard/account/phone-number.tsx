import { useEffect, useState } from 'react';
import {
  askPhoneCode,
  confirmPhone,
  type OwnPhone,
  type PhoneCodeState,
  readOwnPhone,
  removePhone,
} from '#contract/people/phone-checks.ts';
import { Day } from '../../../formats/date-time.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { WriteButton } from '../../../forms/write-button.tsx';
import { QueryError } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useRoles } from '../../../session/roles.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, SmallButton } from '../../../ui/button.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { CardSection } from '../../../ui/section.tsx';

/** How often the state of a code is read while it is being sent, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** The seller's own telephone number and code; without data for others. */
export function useOwnPhone() {
  const roles = useRoles();
  return useRead(
    readOwnPhone,
    {},
    {
      enabled: roles.status === 'known' && roles.isSeller,
      refetchInterval: ({ state }) => (state.data?.code?.state === 'sending' ? POLL_INTERVAL_MS : false),
    },
  );
}

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
  const form = useWriteForm(askPhoneCode, {
    defaultValues: { phone },
    input: (body: { phone: string }) => ({ body }),
    onClose: onSent,
  });
  return (
    <RequestForm
      form={form}
      submit="Send a code"
      busy="Asking"
      variant="secondary"
      onCancel={onCancel}
      className="flex w-full max-w-md flex-col gap-5"
    >
      <Field
        label="Phone Number"
        {...form.field('phone')}
        hint="With + and the country code, such as +351 912 345 678"
      >
        <TextInput type="tel" inputMode="tel" autoComplete="tel" />
      </Field>
    </RequestForm>
  );
}

interface CodeFormProps {
  code: Code;
  /** Whether the field takes the focus, because the form that had it is gone. */
  takesFocus: boolean;
  /** Shows the form for another number. */
  onOther: () => void;
}

/** The form for the code that was sent. */
function CodeForm({ code, takesFocus, onOther }: CodeFormProps) {
  const form = useWriteForm(confirmPhone, {
    defaultValues: { code: '' },
    input: ({ code: typed }: { code: string }) => ({ body: { code: typed.trim() } }),
    done: 'Your phone number is confirmed.',
  });
  const { setFocus } = form;
  useEffect(() => {
    if (takesFocus) setFocus('code');
  }, [takesFocus, setFocus]);
  return (
    <RequestForm
      form={form}
      submit="Confirm the number"
      busy="Checking"
      className="flex w-full max-w-md flex-col gap-5"
      others={
        <>
          <WriteButton
            endpoint={askPhoneCode}
            input={{ body: { phone: code.phone } }}
            done="Another code is being sent. The previous one no longer works."
            // The typed code is one of the message before.
            onSuccess={() => form.reset()}
            size="regular"
            busy="Asking"
          >
            Send another code
          </WriteButton>
          <Button variant="quiet" onClick={onOther}>
            Use another number
          </Button>
        </>
      }
    >
      <Field label="Code" {...form.field('code')} hint="The six digits of the message">
        <TextInput inputMode="numeric" autoComplete="one-time-code" />
      </Field>
    </RequestForm>
  );
}

interface ConfirmedNumberProps {
  confirmed: NonNullable<OwnPhone['confirmed']>;
  /** Shows the form for another number; undefined when the shop sends no codes. */
  onChange: (() => void) | undefined;
}

function ConfirmedNumber({ confirmed, onChange }: ConfirmedNumberProps) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <span className="figures">{confirmed.phone}</span>
        <Badge tone="good">
          Confirmed on <Day at={confirmed.confirmedAt} />
        </Badge>
      </p>
      <div className="flex flex-wrap gap-3">
        {onChange && <SmallButton onClick={onChange}>Change the number</SmallButton>}
        <WriteButton
          endpoint={removePhone}
          input={{}}
          done="Your phone number was removed. Buyers no longer see that it is confirmed."
          variant="danger"
          aria-label="Remove the phone number"
          busy="Removing"
        >
          Remove
        </WriteButton>
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
      {isWaiting && <CodeForm code={code} takesFocus={hasAsked} onOther={() => setIsTypingNumber(true)} />}
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

/** The confirmed telephone number of a seller; nothing for others, and in a shop that sends no codes. */
export function PhoneNumber() {
  const query = useOwnPhone();
  const own = query.data;
  if (own === undefined) {
    return query.isError ? (
      <CardSection title="Phone number">
        <QueryError query={query} title="We could not load your phone number" />
      </CardSection>
    ) : null;
  }
  if (!own.offered && own.confirmed === null) return null;
  return (
    <CardSection
      title="Phone number"
      hint="If you are a verified seller, buyers see that your phone number is confirmed and since which day. The number itself is shown only to you and to the shop’s admins."
    >
      <PhoneSteps own={own} />
    </CardSection>
  );
}
