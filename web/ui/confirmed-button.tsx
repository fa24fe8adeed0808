import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { AlertDialog } from './dialog.tsx';

interface ConfirmedButtonProps extends Omit<ComponentProps<typeof Button>, 'busy' | 'onClick' | 'title'> {
  title: string;
  message: ReactNode;
  /** The button that acts, and its label meanwhile. */
  yes: string;
  busy: string | false;
  no?: string;
  /** @param close closes the dialog */
  onConfirm: (close: () => void) => void;
}

/** A button that asks before it acts. */
export function ConfirmedButton(props: ConfirmedButtonProps) {
  const { title, message, yes, busy, no = 'Not yet', onConfirm, ...button } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button {...button} onClick={() => setIsOpen(true)} />
      <AlertDialog
        open={isOpen}
        onClose={close}
        title={title}
        message={message}
        closeLabel={no}
        confirm={{ label: yes, busy, onConfirm: () => onConfirm(close) }}
      />
    </>
  );
}
