import type { ReactNode } from 'react';
import { formatLaptopCount } from '../../formats/counts.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';

export interface FilterSheetProps {
  /** Whether other results are being loaded. */
  isPending: boolean;
  /** The number of matching laptops. */
  total: number;
  onClose: () => void;
  /** The filters. */
  children: ReactNode;
}

/** The filters in a sheet. */
export function FilterSheet({ isPending, total, onClose, children }: FilterSheetProps) {
  const count = formatLaptopCount(total);
  return (
    <Sheet
      title="Filters"
      onClose={onClose}
      button={
        <Button className="figures w-full" aria-busy={isPending || undefined}>
          {total === 0 ? 'Show results' : `Show ${count}`}
        </Button>
      }
      footer={
        // Screen readers do not hear the rest of the page, and the announcement above the results.
        <p role="status" className="sr-only">
          {count}
        </p>
      }
    >
      {children}
    </Sheet>
  );
}
