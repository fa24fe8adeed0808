import { type ComponentProps, type FormEvent, type ReactNode, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import { errorMessage } from '../requests/error-message.ts';
import { useSessionStore } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormFailure } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import { useMounted } from '../ui/use-mounted.ts';
import { applyProblem, type FieldErrors, showErrors } from './apply-problem.ts';
import { asksForSecret, type FormDraft } from './draft.ts';
import { fieldsOf } from './fields-of.ts';

export interface RequestFormOptions<Values extends FieldValues> {
  /** Left out where the user may type before hydration: react-hook-form would overwrite that. */
  defaultValues?: DefaultValues<Values>;
  /** Keeps what is typed, unless the form asks for a password or a code. */
  draft?: FormDraft<Values> | undefined;
  /** Checks the values before they are sent. @returns sentences by the fields of the request */
  check?: (values: Values) => FieldErrors;
  /** Replaces the name of a field of the request that the form calls otherwise. */
  rename?: (path: string) => string;
  /** Begins the toast of a failure that arrives after the form is gone: 'The report was not sent'. */
  failureTitle?: string | ((values: Values) => string);
  /** Whether a failure makes the form useless: it is shown in a toast, and the form closed. */
  closesOn?: (error: unknown) => boolean;
  /** Whether what was typed is dropped when its dialog is closed, and not kept as a draft, as it must be of a secret. */
  dropsTyped?: boolean;
  /** Called when the form is done, or useless, unless it is gone. Of a form in a dialog, that is closed first. */
  onClose?: ((isDone: boolean) => unknown) | undefined;
}

type Form<Values extends FieldValues> = ReturnType<typeof useRequestForm<Values>>;

/**
 * A form whose submission sends a request. A failure is shown at the fields that it names, else under the form, else in a toast when
 * the form is gone by then. What was typed stays until the shop has done it, or says that it was done before.
 * @param send sends the valid values; may throw. @returns false when the shop did not do it, which has been shown
 */
export function useRequestForm<Values extends FieldValues>(
  send: (values: Values) => Promise<unknown>,
  options: RequestFormOptions<Values> = {},
) {
  const { draft, check, rename, failureTitle, closesOn, dropsTyped = false, onClose } = options;
  const store = useSessionStore();
  const isMounted = useMounted();
  const [failure, setFailure] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isFinished, setIsFinished] = useState(false);
  /** What is not in the draft, such as files, has its default. */
  const readInitial = () => {
    const kept = draft?.read();
    return kept ? { ...options.defaultValues, ...kept } : options.defaultValues;
  };
  const [initial] = useState(readInitial);
  const form = useForm<Values>(initial && { defaultValues: initial });
  const element = useRef<HTMLFormElement>(null);
  const { errors, isSubmitting, isDirty } = form.formState;

  async function finish(isDone: boolean) {
    setIsOpen(false);
    setIsFinished(true);
    await onClose?.(isDone);
  }

  // A fieldset with a name is one, too. A form that is submitted without its event shows all of them.
  const hasControl = (name: string) => element.current?.elements.namedItem(name) !== null;

  async function fail(error: unknown, values: Values) {
    if (!isMounted()) {
      // After the end of a session the login page gives the reason.
      if (store.read().status !== 'signed-in') return;
      const title = typeof failureTitle === 'function' ? failureTitle(values) : failureTitle;
      toast.error(title === undefined ? errorMessage(error) : `${title}: ${errorMessage(error)}`);
      return;
    }
    if (closesOn?.(error)) {
      toast.error(errorMessage(error));
      await finish(false);
    } else setFailure(applyProblem({ ...form, hasControl }, error, rename));
  }

  const checkAndSend = form.handleSubmit(async (values) => {
    setFailure(null);
    const invalid = check?.(values) ?? {};
    if (Object.keys(invalid).length > 0) {
      return setFailure(showErrors({ ...form, hasControl }, invalid, rename));
    }
    let isDone: boolean;
    try {
      isDone = (await send(values)) !== false;
    } catch (error) {
      return fail(error, values);
    }
    // After the form is gone: not what was typed into another one since.
    draft?.discard(isMounted() ? undefined : values);
    if (isMounted()) await finish(isDone);
  });

  const submit = (event?: FormEvent<HTMLFormElement>) => {
    // An error at a field without a registered control would end each later submission.
    form.clearErrors();
    if (event !== undefined) element.current = event.currentTarget;
    return checkAndSend(event);
  };

  const props = {
    noValidate: true,
    onSubmit: (event: FormEvent<HTMLFormElement>): void => void submit(event),
    onChange: ({ currentTarget }: FormEvent<HTMLFormElement>) => {
      if (!asksForSecret(currentTarget)) draft?.save(form.getValues());
    },
  };
  const reset: typeof form.reset = (...given) => {
    setFailure(null);
    form.reset(...given);
  };
  /** For a form in a dialog. After a response of the shop, it opens with the present values. */
  const dialog = {
    isOpen,
    open: () => {
      if (dropsTyped || isFinished || !isDirty) reset(readInitial());
      setIsFinished(false);
      setIsOpen(true);
    },
    close: () => setIsOpen(false),
  };
  const field = fieldsOf(form);
  return { ...form, field, errors, isSubmitting, props, submit, failure, setFailure, reset, dialog };
}

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
  form: ShownForm & Pick<Form<FieldValues>, 'dialog'>;
  title: string;
  description: ReactNode;
  /** Left out: the focus returns to the button that opened the dialog. */
  finalFocus?: ComponentProps<typeof Dialog>['finalFocus'];
  /** For a dialog that is open while it is mounted. Left out: the form knows whether it is open. */
  onClose?: (() => void) | undefined;
}

/** A form in a dialog, which stays open while the request is pending. */
export function FormDialog({ title, description, finalFocus, onClose, ...props }: FormDialogProps) {
  const { dialog, isSubmitting } = props.form;
  const close = onClose ?? dialog.close;
  return (
    <Dialog
      open={onClose !== undefined || dialog.isOpen}
      onOpenChange={(next) => !next && !isSubmitting && close()}
      title={title}
      description={description}
      {...(finalFocus && { finalFocus })}
    >
      <RequestForm {...props} onCancel={close} />
    </Dialog>
  );
}
