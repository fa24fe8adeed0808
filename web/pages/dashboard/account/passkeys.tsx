import type { Account } from '#contract/identity/account.ts';
import { removePasskey } from '#contract/identity/second-factor.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { deviceName } from './device-name.ts';
import { PasswordConfirmedButton } from './password-confirmed-button.tsx';

interface PasskeysProps {
  account: Account;
  onCodes: (codes: readonly string[] | null) => void;
}

/** The passkeys: listed, added, removed. */
export function Passkeys({ account, onCodes }: PasskeysProps) {
  return (
    <div className="w-full">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="font-semibold">Passkeys</p>
        <PasswordConfirmedButton
          label="Add a passkey"
          busyLabel="Waiting for your device"
          explanation="Your device keeps a key that only your fingerprint, face or PIN unlocks. With it you sign in without a password."
          hasPassword={account.hasPassword}
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
                hasPassword={account.hasPassword}
                run={(actions, body) => actions.call(removePasskey, { params: { id: passkey.id }, body })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
