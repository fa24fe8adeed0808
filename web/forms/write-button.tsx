import { type ComponentProps, useState } from 'react';
import type { Callable, Input } from '#contract/platform/client.ts';
import { useWrite, type WriteOptions } from '../requests/use-write.ts';
import { Button, SmallButton } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';

interface WriteButtonProps<E extends Callable>
  extends Omit<ComponentProps<typeof Button>, 'busy' | 'onClick'>,
    Pick<WriteOptions<E>, 'done' | 'onSuccess' | 'read'> {
  endpoint: E;
  /** A function is called at the click. */
  input: Input<E> | (() => Input<E>);
  /** The label until what the call has changed is read again. */
  busy: string;
}

/** A button that sends a call. */
export function WriteButton<E extends Callable>(props: WriteButtonProps<E>) {
  const { endpoint, input, done, onSuccess, read, busy, ...button } = props;
  const { mutate, isPending } = useWrite(endpoint, { done, onSuccess, read, untilRead: true });
  return (
    <SmallButton
      {...button}
      busy={isPending && busy}
      onClick={() => mutate(typeof input === 'function' ? input() : input)}
    />
  );
}

interface WriteQuestionProps<E extends Callable>
  extends Pick<ComponentProps<typeof AlertDialog>, 'onClose' | 'title' | 'message' | 'finalFocus'>,
    WriteOptions<E> {
  endpoint: E;
  input: Input<E>;
  /** Left out: it is open while it is mounted. */
  open?: boolean;
  /** The labels of the buttons that answer, and that of the first while the request is pending. */
  yes: string;
  busy: string;
  no?: string;
  /** Whether it stays open when the call fails. */
  staysAfterFailure?: boolean;
}

/** A dialog that asks before a call is sent. */
export function WriteQuestion<E extends Callable>(props: WriteQuestionProps<E>) {
  const {
    endpoint,
    input,
    open = true,
    onClose,
    title,
    message,
    finalFocus,
    yes,
    busy,
    no,
    staysAfterFailure = false,
    ...options
  } = props;
  const write = useWrite(endpoint, { untilRead: true, ...options });
  return (
    <AlertDialog
      {...{ open, onClose, title, message }}
      {...(finalFocus && { finalFocus })}
      closeLabel={no ?? 'Not yet'}
      confirm={{
        label: yes,
        busy: write.isPending && busy,
        onConfirm: () => write.mutate(input, { [staysAfterFailure ? 'onSuccess' : 'onSettled']: onClose }),
      }}
    />
  );
}

interface ConfirmedWriteProps<E extends Callable>
  extends Omit<WriteQuestionProps<E>, 'open' | 'onClose'>,
    Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'> {
  /** The label of the button that asks. */
  label: string;
}

/** A button whose call is sent after a question. */
export function ConfirmedWrite<E extends Callable>(props: ConfirmedWriteProps<E>) {
  const { label, variant, size, className, ...question } = props;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...{ variant, size, className }} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <WriteQuestion {...question} open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
