import { type ComponentProps, type ReactNode, useState } from 'react';
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

interface ConfirmedWriteProps<E extends Callable>
  extends Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'> {
  endpoint: E;
  input: Input<E>;
  done: NonNullable<WriteOptions<E>['done']>;
  /** The label of the button that asks. */
  label: string;
  title: string;
  message: ReactNode;
  /** The labels of the buttons that answer, and that of the first while the request is pending. */
  yes: string;
  busy: string;
  no?: string;
}

/** A button whose call is sent after a question. */
export function ConfirmedWrite<E extends Callable>(props: ConfirmedWriteProps<E>) {
  const { endpoint, input, done, label, title, message, yes, busy, no = 'Not yet', ...button } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const write = useWrite(endpoint, { done, untilRead: true });
  return (
    <>
      <Button {...button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <AlertDialog
        open={isOpen}
        onClose={close}
        title={title}
        message={message}
        closeLabel={no}
        confirm={{
          label: yes,
          busy: write.isPending && busy,
          onConfirm: () => write.mutate(input, { onSettled: close }),
        }}
      />
    </>
  );
}
