import { useState } from 'react';
import type { Account } from '#contract/identity/account.ts';
import {
  type AuthenticatorSetup,
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
} from '#contract/identity/second-factor.ts';
import { slugOf } from '#contract/listings/slug.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { useShop } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { AlertDialog, Dialog } from '../../../ui/dialog.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { deviceName } from './device-name.ts';
import { PasswordConfirmedButton } from './password-confirmed-button.tsx';

interface SetupProps {
  setup: AuthenticatorSetup;
  onCodes: (codes: readonly string[] | null) => void;
}

/** The setup key as QR code and text, and the field for the first code. */
function Setup({ setup, onCodes }: SetupProps) {
  const form = useWriteForm(confirmAuthenticator, {
    defaultValues: { code: '' },
    input: ({ code }: { code: string }) => ({ body: { code: code.trim() } }),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
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

interface MethodProps {
  account: Account;
  onCodes: (codes: readonly string[] | null) => void;
}

/** The authenticator app: set up, or removed. */
export function Authenticator({ account, onCodes }: MethodProps) {
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
          run={(actions, body) => actions.call(removeAuthenticator, { body })}
        />
      ) : (
        <PasswordConfirmedButton
          label="Set up an authenticator app"
          busyLabel="Preparing"
          explanation="An app on your phone shows a new code every half minute. You will need it to sign in."
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

/** The passkeys: listed, added, removed. */
export function Passkeys({ account, onCodes }: MethodProps) {
  return (
    <div className="w-full">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="font-semibold">Passkeys</p>
        <PasswordConfirmedButton
          label="Add a passkey"
          busyLabel="Waiting for your device"
          explanation="Your device keeps a key that only your fingerprint, face or PIN unlocks. With it you sign in without a password."
          run={(actions, { password }) => actions.addPasskey(deviceName(navigator.userAgent), password)}
          onDone={({ recoveryCodes }) => onCodes(recoveryCodes)}
        />
      </div>
      {account.passkeys.length > 0 && (
        <ul className="mt-2 divide-y divide-border">
          {account.passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div>
                <p>{passkey.name}</p>
                <p className="text-muted text-sm">
                  Added <DateTime at={passkey.createdAt} />
                </p>
              </div>
              <PasswordConfirmedButton
                label="Remove"
                object={`the passkey ${passkey.name}`}
                variant="danger"
                busyLabel="Removing"
                explanation={`The passkey “${passkey.name}” will no longer sign you in. It stays on your device until you delete it there.`}
                run={(actions, body) => actions.call(removePasskey, { params: { id: passkey.id }, body })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Shows new recovery codes once. Only the button closes the dialog. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  const { name } = useShop();
  const text = `${[`${name} recovery codes. Each works once.`, ...(codes ?? [])].join('\n')}\n`;
  return (
    <AlertDialog
      open={codes !== null}
      onClose={onClose}
      ignoresEscape
      title="Your recovery codes"
      message="Each code replaces your second factor once, for example when your phone is lost. They are shown only now: please store them in a safe place."
      closeLabel="I have stored them"
    >
      <ul className="figures mt-5 grid grid-cols-1 gap-x-6 gap-y-1 font-mono min-[24rem]:grid-cols-2">
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <a
        className="mt-6 inline-flex min-h-11 items-center rounded-lg border border-border-strong px-5 font-semibold hover:bg-subtle"
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        download={`${slugOf(name)}-recovery-codes.txt`}
      >
        Download
      </a>
    </AlertDialog>
  );
}

/** The second factor: its methods and the recovery codes. */
export function SecondFactor({ account }: { account: Account }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const isOn = account.totp || account.passkeys.length > 0;
  return (
    <CardSection
      title="Second factor"
      hint={
        isOn
          ? 'Your password alone is not enough to sign in. If you lose your device, use a recovery code.'
          : 'With a second factor, somebody who knows your password cannot sign in with it alone.'
      }
    >
      <Authenticator account={account} onCodes={setCodes} />
      <Passkeys account={account} onCodes={setCodes} />
      {isOn && (
        <div className="flex w-full flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p>
            <span className="font-semibold">Recovery codes</span>{' '}
            <span className="text-muted">{account.recoveryCodesLeft} left</span>
          </p>
          <PasswordConfirmedButton
            label="Make new recovery codes"
            busyLabel="Making them"
            explanation="The codes that you have now stop working."
            run={(actions, body) => actions.call(renewRecoveryCodes, { body })}
            onDone={({ recoveryCodes }) => setCodes(recoveryCodes)}
          />
        </div>
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
    </CardSection>
  );
}
