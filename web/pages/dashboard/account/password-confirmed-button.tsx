import { type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import type { PasswordConfirmation } from '#contract/identity/schemas.ts';
import { useRequestForm } from '../../../forms/use-request-form.ts';
import type { AccountActions } from '../../../session/session-actions.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, FormFailure, PasswordInput } from '../../../ui/field.tsx';
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
  const { register, submit, errors, isSubmitting, failure, reset } = useRequestForm(
    async ({ password }: { password: string }) => {
      const result = await change.mutateAsync({ password: hasPassword ? password : undefined });
      onDone?.(result);
      handleOpenChange(false);
    },
    { password: '' },
  );
  const handleOpenChange = (open: boolean) => {
    // The pending response would close a dialog that was reopened meanwhile.
    if (isSubmitting) return;
    setIsOpen(open);
    reset();
  };
  return (
    <>
      <Button
        variant={variant}
        size="small"
        {...(object === undefined ? {} : { 'aria-label': `${label} ${object}` })}
        onClick={() => handleOpenChange(true)}
      >
        {label}
      </Button>
      <Dialog open={isOpen} onOpenChange={handleOpenChange} title={label} description={explanation}>
        <form onSubmit={submit} noValidate className="flex flex-col gap-5">
          {hasPassword && (
            <Field label="Your Password" error={errors.password?.message}>
              <PasswordInput
                autoComplete="current-password"
                {...register('password', { required: 'Your password is required' })}
              />
            </Field>
          )}
          <FormFailure message={failure} />
          <Button
            type="submit"
            variant={variant === 'danger' ? 'danger' : 'primary'}
            busy={isSubmitting && busyLabel}
          >
            Continue
          </Button>
        </form>
      </Dialog>
    </>
  );
}
