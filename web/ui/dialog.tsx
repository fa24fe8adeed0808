import { AlertDialog as BaseAlert } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';

const backdrop =
  'fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0';
const viewport = 'fixed inset-0 z-50 grid place-items-end overflow-y-auto sm:place-items-center sm:p-6';
const popup =
  'relative w-full rounded-t-2xl bg-surface p-6 text-ink shadow-raised transition-[opacity,translate] duration-150 data-[ending-style]:translate-y-2 data-[starting-style]:translate-y-2 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0 sm:rounded-2xl sm:p-8';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Where the focus goes when it closes; `true`: back to where it was. */
  finalFocus?: () => HTMLElement | null | true;
  children: ReactNode;
}

/** A dialog over the page: holds the focus, gives it back, closes on Escape and on a click beside it. */
export function Dialog({ open, onOpenChange, title, description, finalFocus, children }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdrop} />
        <BaseDialog.Viewport className={viewport}>
          <BaseDialog.Popup
            className={`${popup} sm:max-w-lg`}
            // Where one begins to type; by touch not, or the keyboard would cover what has just opened.
            initialFocus={(openedBy) =>
              openedBy === 'touch' ||
              (body.current?.querySelector<HTMLElement>(
                ':is(input, textarea, select):not([readonly], :disabled)',
              ) ??
                true)
            }
            {...(finalFocus && { finalFocus })}
          >
            <BaseDialog.Title className="pr-10 text-2xl">{title}</BaseDialog.Title>
            {description !== undefined && (
              <BaseDialog.Description render={<div />} className="mt-1 text-quiet">
                {description}
              </BaseDialog.Description>
            )}
            <BaseDialog.Close
              aria-label="Close"
              className="absolute top-4 right-4 grid size-10 place-items-center rounded-full text-quiet hover:bg-sunken hover:text-ink"
            >
              <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
                <path d="m5 5 10 10M15 5 5 15" stroke="currentColor" strokeWidth="1.75" />
              </svg>
            </BaseDialog.Close>
            <div ref={body} className="mt-5">
              {children}
            </div>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface AlertDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  message: ReactNode;
  /** What stands between the message and the buttons. */
  children?: ReactNode;
  /** For what is shown once: Escape does not close it. */
  stays?: boolean;
  /** The button that closes it; 'OK' when left out. */
  closeLabel?: string;
  /** When given, the dialog asks: this button does it. The dialog stays until `onClose`. */
  confirm?: { label: string; busy?: string | false; onConfirm: () => void };
  /** What gets the focus when it closes, where what had it before is gone by then. */
  finalFocus?: () => HTMLElement | null;
}

/** Says something that must be seen, or asks before something that cannot be undone. A click beside it does nothing. */
export function AlertDialog({
  open,
  onClose,
  title,
  message,
  children,
  stays = false,
  closeLabel = 'OK',
  confirm,
  finalFocus,
}: AlertDialogProps) {
  return (
    <BaseAlert.Root
      open={open}
      onOpenChange={(next, { reason }) => {
        if (!next && !(stays && reason === 'escape-key')) onClose();
      }}
    >
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={backdrop} />
        <BaseAlert.Viewport className={viewport}>
          <BaseAlert.Popup className={`${popup} sm:max-w-md`} {...(finalFocus && { finalFocus })}>
            <BaseAlert.Title className="text-2xl">{title}</BaseAlert.Title>
            <BaseAlert.Description className="mt-2 text-quiet">{message}</BaseAlert.Description>
            {children}
            <div className="mt-6 flex flex-wrap justify-end gap-3">
              <BaseAlert.Close
                render={<Button look={confirm === undefined ? 'primary' : 'secondary'} />}
                disabled={typeof confirm?.busy === 'string'}
              >
                {closeLabel}
              </BaseAlert.Close>
              {confirm !== undefined && (
                <Button look="danger" busy={confirm.busy ?? false} onClick={confirm.onConfirm}>
                  {confirm.label}
                </Button>
              )}
            </div>
          </BaseAlert.Popup>
        </BaseAlert.Viewport>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  );
}
