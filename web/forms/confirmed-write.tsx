import { type ComponentProps, type ReactNode, useState } from 'react';
import type { Callable, Input } from '#contract/platform/client.ts';
import { useWrite, type WriteOptions } from '../requests/use-write.ts';
import { Button } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';
import { useRecentSignIn } from './recent-sign-in.tsx';

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

/** A button whose call is sent after a question, and after the password when that is needed. */
export function ConfirmedWrite<E extends Callable>(props: ConfirmedWriteProps<E>) {
  const { endpoint, input, done, label, title, message, yes, busy, no = 'Not yet', ...button } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const { withRecentSignIn, showFailure, dialog } = useRecentSignIn();
  const write = useWrite(endpoint, { done, untilRead: true, onError: showFailure });
  const send = () =>
    withRecentSignIn(() => write.mutateAsync(input))
      .catch(() => undefined)
      .finally(close);
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
          onConfirm: () => void send(),
        }}
      />
      {dialog}
    </>
  );
}
