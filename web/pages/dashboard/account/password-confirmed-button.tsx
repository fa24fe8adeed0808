import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, PasswordInput } from '../../../ui/field.tsx';
import { FormFailure } from '../../../ui/form-failure.tsx';

interface PasswordConfirmedButtonProps {
  label: string;
  busyLabel: string;
  variant?: 'secondary' | 'danger';
  /** The object of the action. It completes the accessible name of the button. */
  object?: string;
  /** A sentence about the effect, shown in the dialog. */
  explanation: ReactNode;
  hasPassword: boolean;
  /** @param password null for an account without one @throws Error with a sentence for people */
  run: (password: string | null) => Promise<void>;
}

/** A button that asks for the password before it runs a sensitive action. */
export function PasswordConfirmedButton(props: PasswordConfirmedButtonProps) {
  const { label, busyLabel, variant = 'secondary', object, explanation, hasPassword, run } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: { password: '' } });
  const { register, handleSubmit, reset, formState } = form;
  const handleOpenChange = (open: boolean) => {
    // The pending response would close a dialog that was reopened meanwhile.
    if (formState.isSubmitting) return;
    setIsOpen(open);
    setFailure(null);
    reset();
  };
  const confirm = handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      await run(hasPassword ? password : null);
      handleOpenChange(false);
    } catch (error) {
      setFailure(applyProblem(form, error));
    }
  });
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
        <form onSubmit={confirm} noValidate className="flex flex-col gap-5">
          {hasPassword && (
            <Field label="Your Password" error={formState.errors.password?.message}>
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
            busy={formState.isSubmitting && busyLabel}
          >
            Continue
          </Button>
        </form>
      </Dialog>
    </>
  );
}
