import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import { readAccount } from '#contract/identity/account.ts';
import type { PasswordConfirmation } from '#contract/identity/schemas.ts';
import { FormDialog, useRequestForm } from '../../../forms/request-form.tsx';
import { useRead, useRefetch } from '../../../requests/reads.ts';
import { useSessionStore } from '../../../session/session.tsx';
import type { AccountActions } from '../../../session/session-actions.ts';
import { SmallButton } from '../../../ui/button.tsx';
import { Field, PasswordInput } from '../../../ui/field.tsx';

interface PasswordConfirmedButtonProps<Result> {
  label: string;
  busyLabel: string;
  variant?: 'secondary' | 'danger';
  /** The object of the action. It completes the accessible name of the button. */
  object?: string;
  /** A sentence about the effect, shown in the dialog. */
  explanation: ReactNode;
  /** Sends the request. @throws Error with a sentence for people */
  run: (actions: AccountActions, confirmation: z.input<typeof PasswordConfirmation>) => Promise<Result>;
  onDone?: (result: Result) => void;
}

/** A button that asks for the password before it runs a sensitive action. */
export function PasswordConfirmedButton<Result>(props: PasswordConfirmedButtonProps<Result>) {
  const { label, busyLabel, variant = 'secondary', object, explanation, run, onDone } = props;
  const hasPassword = useRead(readAccount, {}).data?.hasPassword === true;
  const store = useSessionStore();
  const refresh = useRefetch('account', 'sessions');
  const form = useRequestForm(
    async ({ password }: { password: string }) => {
      const confirmation = { password: hasPassword ? password : undefined };
      // The result, such as recovery codes that are shown only once, does not depend on what is read again.
      const result = await store
        .run(({ account }) => run(account, confirmation))
        .finally(() => void refresh());
      onDone?.(result);
    },
    { defaultValues: { password: '' }, dropsTyped: true },
  );
  return (
    <>
      <SmallButton
        variant={variant}
        {...(object === undefined ? {} : { 'aria-label': `${label} ${object}` })}
        onClick={form.dialog.open}
      >
        {label}
      </SmallButton>
      <FormDialog
        form={form}
        title={label}
        description={explanation}
        submit="Continue"
        busy={busyLabel}
        variant={variant === 'danger' ? 'danger' : 'primary'}
      >
        {hasPassword && (
          <Field label="Your Password" {...form.field('password', { required: 'Your password is required' })}>
            <PasswordInput autoComplete="current-password" />
          </Field>
        )}
      </FormDialog>
    </>
  );
}
