import type { ComponentProps, ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormFailure } from '../ui/field.tsx';
import type { RequestForm as Form } from './use-request-form.ts';

type ShownForm = Pick<Form<FieldValues>, 'props' | 'failure' | 'isSubmitting'>;

interface RequestFormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'onChange'> {
  form: ShownForm;
  /** The label of the submit button, and its label while the request is pending. */
  submit: string;
  busy: string;
  variant?: ComponentProps<typeof Button>['variant'];
  buttonClass?: string;
  disabled?: boolean;
  /** Adds a button to leave the form. */
  onCancel?: (() => void) | undefined;
  cancel?: string;
  /** Buttons beside the one that submits. */
  others?: ReactNode;
  children: ReactNode;
}

/** A form with its fields, the failure under them, and its buttons. */
export function RequestForm(props: RequestFormProps) {
  const {
    form,
    submit,
    busy,
    variant,
    buttonClass,
    disabled,
    onCancel,
    others,
    cancel = 'Cancel',
    ...rest
  } = props;
  const { children, className = 'flex flex-col gap-5', ...attributes } = rest;
  const button = (
    <Button
      type="submit"
      variant={variant}
      className={buttonClass}
      disabled={disabled}
      busy={form.isSubmitting && busy}
    >
      {submit}
    </Button>
  );
  return (
    <form {...attributes} {...form.props} className={className}>
      {children}
      <FormFailure message={form.failure} />
      {others !== undefined ? (
        <div className="flex flex-wrap gap-3">
          {button}
          {others}
        </div>
      ) : onCancel === undefined ? (
        button
      ) : (
        <div className="flex flex-wrap-reverse justify-end gap-3 *:grow sm:*:grow-0">
          <Button variant="secondary" disabled={form.isSubmitting} onClick={onCancel}>
            {cancel}
          </Button>
          {button}
        </div>
      )}
    </form>
  );
}

interface FormDialogProps extends Omit<RequestFormProps, 'title' | 'onCancel'> {
  open: boolean;
  title: string;
  description: ReactNode;
  /** Left out: the focus returns to the button that opened the dialog. */
  finalFocus?: ComponentProps<typeof Dialog>['finalFocus'];
  onClose: () => void;
}

/** A form in a dialog, which stays open while the request is pending. */
export function FormDialog({ open, title, description, finalFocus, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !form.form.isSubmitting && onClose()}
      title={title}
      description={description}
      {...(finalFocus && { finalFocus })}
    >
      <RequestForm {...form} onCancel={onClose} />
    </Dialog>
  );
}
