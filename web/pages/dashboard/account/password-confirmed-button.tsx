import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { FormFailure } from '../../../session/sign-in.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, PasswordInput } from '../../../ui/field.tsx';

interface ConfirmedButtonProps {
  label: string;
  busyLabel: string;
  look?: 'secondary' | 'danger';
  /** What it is done to, for those who hear the button without its row. */
  of?: string;
  /** What happens, in a sentence. */
  explained: ReactNode;
  hasPassword: boolean;
  /** Does it. @param password null for who has none @throws with a sentence for people */
  act: (password: string | null) => Promise<void>;
}

/** A button for what only the account's owner may do: it asks for the password once more. */
export function ConfirmedButton(props: ConfirmedButtonProps) {
  const { label, busyLabel, look = 'secondary', of, explained, hasPassword, act } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: { password: '' } });
  const { register, handleSubmit, reset, formState } = form;
  const change = (open: boolean) => {
    // It is about to be answered: another dialog opened meanwhile would be closed by that answer.
    if (formState.isSubmitting) return;
    setIsOpen(open);
    setFailure(null);
    reset();
  };
  const confirm = handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      await act(hasPassword ? password : null);
      change(false);
    } catch (error) {
      setFailure(applyProblem(form, error));
    }
  });
  return (
    <>
      <Button
        look={look}
        size="small"
        {...(of === undefined ? {} : { 'aria-label': `${label} ${of}` })}
        onClick={() => change(true)}
      >
        {label}
      </Button>
      <Dialog open={isOpen} onOpenChange={change} title={label} description={explained}>
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
            look={look === 'danger' ? 'danger' : 'primary'}
            busy={formState.isSubmitting && busyLabel}
          >
            Continue
          </Button>
        </form>
      </Dialog>
    </>
  );
}
