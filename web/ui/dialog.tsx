import { AlertDialog as BaseAlert } from '@base-ui/react/alert-dialog';
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { type ReactElement, type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const backdrop =
  'fixed inset-0 z-40 bg-overlay transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0';
const viewport =
  'fixed inset-0 z-50 grid grid-cols-[minmax(0,1fr)] place-items-end overflow-y-auto sm:place-items-center sm:p-6';
const popup =
  'relative w-full rounded-t-2xl bg-surface p-6 text-foreground shadow-raised transition-[opacity,translate] duration-150 data-[ending-style]:translate-y-2 data-[starting-style]:translate-y-2 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0 sm:rounded-2xl sm:p-8';

/** The button that closes the dialog around it. */
export function CloseButton({ className = '' }: { className?: string }) {
  return (
    <BaseDialog.Close
      aria-label="Close"
      className={`grid size-10 shrink-0 place-items-center rounded-full text-muted hover:bg-subtle hover:text-foreground ${className}`}
    >
      <Icon name="close" />
    </BaseDialog.Close>
  );
}

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** The element to focus after closing; `true` for the one focused before. */
  finalFocus?: () => HTMLElement | null | true;
  children: ReactNode;
}

/** A modal dialog. It traps the focus and closes on Escape and on a click outside. */
export function Dialog({ open, onOpenChange, title, description, finalFocus, children }: DialogProps) {
  const body = useRef<HTMLDivElement>(null);
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdrop} />
        <BaseDialog.Viewport className={viewport}>
          <BaseDialog.Popup
            className={`${popup} sm:max-w-lg`}
            // The first editable control. Not on touch, where the on-screen keyboard would cover the dialog.
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
              <BaseDialog.Description render={<div />} className="mt-1 text-muted">
                {description}
              </BaseDialog.Description>
            )}
            <CloseButton className="absolute top-4 right-4" />
            <div ref={body} className="mt-5">
              {children}
            </div>
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface SheetProps {
  title: string;
  /** Called when it has closed. */
  onClose: () => void;
  /** Whether the element that was focused before gets the focus back; `true` when left out. Called when it closes. */
  returnsFocus?: () => boolean;
  /** The button below the content, which closes the sheet. */
  button: ReactElement;
  /** Beside the button. */
  footer: ReactNode;
  /** The content, which scrolls. */
  children: ReactNode;
}

/** A modal dialog at the bottom of the window, which is open from the start. */
export function Sheet({ title, onClose, returnsFocus, button, footer, children }: SheetProps) {
  return (
    <BaseDialog.Root defaultOpen onOpenChangeComplete={(open) => !open && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={backdrop} />
        <BaseDialog.Popup
          className="fixed inset-x-0 bottom-0 z-50 flex max-h-[92svh] flex-col rounded-t-2xl bg-surface text-foreground shadow-raised"
          {...(returnsFocus && { finalFocus: returnsFocus })}
        >
          <div className="flex items-center justify-between border-border border-b py-2 pr-3 pl-5">
            <BaseDialog.Title className="text-xl">{title}</BaseDialog.Title>
            <CloseButton />
          </div>
          {/* Positioned, so that hidden texts scroll with what they belong to. */}
          <div className="relative -mt-px overflow-y-auto overscroll-contain px-5 pb-4">{children}</div>
          <div className="border-border border-t px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
            <BaseDialog.Close render={button} />
            {footer}
          </div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface AlertDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  message: ReactNode;
  /** Content between the message and the buttons. */
  children?: ReactNode;
  /** Escape does not close it, for content that is shown only once. */
  ignoresEscape?: boolean;
  /** The button that closes it; 'OK' when left out. */
  closeLabel?: string;
  /** Makes it a confirmation with this button. The dialog stays open until `onClose`. */
  confirm?: { label: string; busy?: string | false; onConfirm: () => void };
  /** The element to focus after closing; `true` for the one focused before. */
  finalFocus?: () => HTMLElement | null | true;
}

/** An alert or a confirmation dialog. A click outside does not close it. */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onClose, title, message, children, closeLabel = 'OK', confirm, finalFocus } = props;
  return (
    <BaseAlert.Root
      open={open}
      onOpenChange={(next, { reason }) => {
        if (!next && !(props.ignoresEscape && reason === 'escape-key')) onClose();
      }}
    >
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={backdrop} />
        <BaseAlert.Viewport className={viewport}>
          <BaseAlert.Popup className={`${popup} sm:max-w-md`} {...(finalFocus && { finalFocus })}>
            <BaseAlert.Title className="text-2xl">{title}</BaseAlert.Title>
            <BaseAlert.Description className="mt-2 text-muted">{message}</BaseAlert.Description>
            {children}
            <div className="mt-6 flex flex-wrap justify-end gap-3">
              <BaseAlert.Close
                render={<Button variant={confirm === undefined ? 'primary' : 'secondary'} />}
                disabled={typeof confirm?.busy === 'string'}
              >
                {closeLabel}
              </BaseAlert.Close>
              {confirm !== undefined && (
                <Button variant="danger" busy={confirm.busy ?? false} onClick={confirm.onConfirm}>
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
