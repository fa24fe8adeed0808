import { type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import type { PasswordConfirmation } from '#contract/identity/schemas.ts';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useRequestForm } from '../../../forms/use-request-form.ts';
import type { AccountActions } from '../../../session/session-actions.ts';
import { SmallButton } from '../../../ui/button.tsx';
import { Field, PasswordInput } from '../../../ui/field.tsx';
import { useAccountChange } from './use-account.ts';

interface PasswordConfirmedButtonProps<Result> {
  label: string;
  busyLabel: string;
  variant?: 'secondary' | 'danger';
  /** The object of the action. It completes the accessible name of the button. */
  object?: string;
  /** A sentence about the effect, shown in the dialog. */
  explanation: ReactNode;
  hasPassword: boolean;
  /** Sends the request. @throws Error with a sentence for people */
  run: (actions: AccountActions, confirmation: z.input<typeof PasswordConfirmation>) => Promise<Result>;
  onDone?: (result: Result) => void;
}

/** A button that asks for the password before it runs a sensitive action. */
export function PasswordConfirmedButton<Result>(props: PasswordConfirmedButtonProps<Result>) {
  const { label, busyLabel, variant = 'secondary', object, explanation, hasPassword, run, onDone } = props;
  const [isOpen, setIsOpen] = useState(false);
  const change = useAccountChange(run);
  const form = useRequestForm(
    async ({ password }: { password: string }) => {
      const result = await change.mutateAsync({ password: hasPassword ? password : undefined });
      onDone?.(result);
    },
    { defaultValues: { password: '' }, onClose: () => setIsOpen(false) },
  );
  const open = () => {
    form.reset();
    setIsOpen(true);
  };
  return (
    <>
      <SmallButton
        variant={variant}
        {...(object === undefined ? {} : { 'aria-label': `${label} ${object}` })}
        onClick={open}
      >
        {label}
      </SmallButton>
      <FormDialog
        form={form}
        open={isOpen}
        title={label}
        description={explanation}
        submit="Continue"
        busy={busyLabel}
        variant={variant === 'danger' ? 'danger' : 'primary'}
        onClose={() => setIsOpen(false)}
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
