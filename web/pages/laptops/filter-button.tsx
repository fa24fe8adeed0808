import { type ComponentType, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { toastOffline } from '../../ui/toast.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import { FilterForm, type FilterFormProps } from './filter-form.tsx';
import type { FilterSheetProps } from './filter-sheet.tsx';

interface FilterButtonProps extends Omit<FilterFormProps, 'id'> {
  /** The number of matching laptops. */
  total: number;
  /** The number of chosen filters. */
  chosen: number;
}

const buttonClasses =
  'inline-flex min-h-11 items-center gap-2 rounded-lg border border-border-strong bg-surface px-4 font-semibold text-foreground hover:bg-subtle lg:hidden';

/** Opens the filters where there is no room for them beside the results. Without scripts it leads to the form. */
export function FilterButton({ total, chosen, ...form }: FilterButtonProps) {
  const hydrated = useHydrated();
  const [Sheet, setSheet] = useState<ComponentType<FilterSheetProps> | null>(null);
  async function open() {
    try {
      const { FilterSheet } = await import('./filter-sheet.tsx');
      setSheet(() => FilterSheet);
    } catch {
      if (!navigator.onLine) toastOffline();
      // Shows the form in the page.
      else location.hash = 'filters';
    }
  }
  const label = (
    <>
      <Icon name="filters" />
      Filters
      {chosen > 0 && (
        <span className="figures rounded-full bg-accent-soft px-2 text-link text-sm">
          {chosen}
          <span className="sr-only"> chosen</span>
        </span>
      )}
    </>
  );
  if (!hydrated) {
    return (
      <a href="#filters" className={buttonClasses}>
        {label}
      </a>
    );
  }
  return (
    <>
      <button type="button" aria-haspopup="dialog" className={buttonClasses} onClick={open}>
        {label}
      </button>
      {Sheet !== null && (
        <Sheet isPending={form.search.isPending} total={total} onClose={() => setSheet(null)}>
          <FilterForm {...form} />
        </Sheet>
      )}
    </>
  );
}
