import { useState } from 'react';
import type { Account } from '#contract/identity/account.ts';
import {
  type AuthenticatorSetup,
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
} from '#contract/identity/second-factor.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useRequestForm } from '../../../forms/use-request-form.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { PasswordConfirmedButton } from './password-confirmed-button.tsx';
import { useAccountChange } from './use-account.ts';

interface SetupProps {
  setup: AuthenticatorSetup;
  onCodes: (codes: readonly string[] | null) => void;
}

/** The setup key as QR code and text, and the field for the first code. */
function Setup({ setup, onCodes }: SetupProps) {
  const confirming = useAccountChange((actions, code: string) =>
    actions.call(confirmAuthenticator, { body: { code } }),
  );
  const form = useRequestForm(
    async ({ code }: { code: string }) => {
      const { recoveryCodes } = await confirming.mutateAsync(code.trim());
      onCodes(recoveryCodes);
    },
    { defaultValues: { code: '' } },
  );
  return (
    <RequestForm form={form} submit="Turn it on" busy="Checking">
      <div className="flex flex-wrap items-center gap-5">
        <QrCode text={setup.url} label="QR code for your authenticator app" className="size-52" />
        <p className="min-w-0 flex-1 basis-40 text-muted text-sm">
          If the app is on this device,{' '}
          <a href={setup.url} className="link font-semibold">
            open it
          </a>
          , or type this key:{' '}
          <code className="text-foreground">{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
        </p>
      </div>
      <Field
        label="Code"
        {...form.field('code', {
          required: 'A code is required',
          pattern: { value: /^\s*\d{3}\s?\d{3}\s*$/, message: 'A code has six digits' },
        })}
        hint="The six digits that the app shows now"
      >
        <TextInput inputMode="numeric" autoComplete="one-time-code" />
      </Field>
    </RequestForm>
  );
}

interface AuthenticatorProps {
  account: Account;
  onCodes: (codes: readonly string[] | null) => void;
}

/** The authenticator app: set up, or removed. */
export function Authenticator({ account, onCodes }: AuthenticatorProps) {
  const [setup, setSetup] = useState<AuthenticatorSetup | null>(null);
  return (
    <div className="flex w-full flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        Authenticator app
        {account.totp && <Badge tone="good">On</Badge>}
      </p>
      {account.totp ? (
        <PasswordConfirmedButton
          label="Remove"
          object="the authenticator app"
          variant="danger"
          busyLabel="Removing"
          explanation="The codes of your app will no longer be asked for."
          hasPassword={account.hasPassword}
          run={(actions, body) => actions.call(removeAuthenticator, { body })}
        />
      ) : (
        <PasswordConfirmedButton
          label="Set up an authenticator app"
          busyLabel="Preparing"
          explanation="An app on your phone shows a new code every half minute. You will need it to sign in."
          hasPassword={account.hasPassword}
          run={(actions, body) => actions.call(beginAuthenticator, { body })}
          onDone={setSetup}
        />
      )}
      <Dialog
        open={setup !== null}
        onOpenChange={(open) => !open && setSetup(null)}
        title="Set up your authenticator app"
        description="Scan this with the app, then type the code that it shows."
      >
        {setup !== null && (
          <Setup
            key={setup.secret}
            setup={setup}
            onCodes={(codes) => {
              // Another setup may have started since.
              setSetup((open) => (open === setup ? null : open));
              onCodes(codes);
            }}
          />
        )}
      </Dialog>
    </div>
  );
}
