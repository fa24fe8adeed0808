import { type ReactNode, useEffect, useId, useRef } from 'react';
import { formatLaptopCount } from '../../formats/counts.ts';
import { Button } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icon.tsx';

export interface FilterSheetProps {
  /** Whether other results are being loaded. */
  isPending: boolean;
  /** The number of matching laptops. */
  total: number;
  onClose: () => void;
  /** The filters. */
  children: ReactNode;
}

/** The filters in a modal dialog, which is open from the start. */
export function FilterSheet({ isPending, total, onClose, children }: FilterSheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const count = formatLaptopCount(total);
  const close = () => dialog.current?.close();
  return (
    // The browser holds the focus in a modal dialog, and returns it.
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog
    <dialog
      ref={dialog}
      aria-labelledby={title}
      onClose={onClose}
      onClick={(event) => {
        // Only a click on the backdrop has the dialog itself as its target.
        if (event.target === dialog.current) close();
      }}
      className="m-0 mt-auto max-h-[92svh] w-full max-w-none rounded-t-2xl bg-surface text-ink shadow-raised backdrop:bg-shade"
    >
      <div className="flex max-h-[92svh] flex-col">
        <div className="flex items-center justify-between border-line border-b py-2 pr-3 pl-5">
          <h2 id={title} className="text-xl">
            Filters
          </h2>
          <button
            type="button"
            aria-label="Close"
            onClick={close}
            className="grid size-10 place-items-center rounded-full text-quiet hover:bg-sunken hover:text-ink"
          >
            <CloseIcon />
          </button>
        </div>
        <div className="-mt-px overflow-y-auto overscroll-contain px-5 pb-4">{children}</div>
        <div className="border-line border-t px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
          <Button className="figures w-full" aria-busy={isPending || undefined} onClick={close}>
            {total === 0 ? 'Show results' : `Show ${count}`}
          </Button>
          {/* The rest of the page is inert, and with it the announcement above the results. */}
          <p role="status" className="sr-only">
            {count}
          </p>
        </div>
      </div>
    </dialog>
  );
}
