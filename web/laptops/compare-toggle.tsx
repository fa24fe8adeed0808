import { Icon } from '../ui/icon.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import {
  addToComparison,
  MAXIMUM_COMPARED,
  removeFromComparison,
  useComparedLaptops,
} from './compared-laptops.ts';
import type { StoredLaptop } from './stored-laptops.ts';

/** Adds a laptop to the comparison or removes it. */
export function CompareToggle({ laptop }: { laptop: StoredLaptop }) {
  const hydrated = useHydrated();
  const compared = useComparedLaptops();
  const isCompared = compared.some(({ _id }) => _id === laptop._id);
  const isFull = !isCompared && compared.length >= MAXIMUM_COMPARED;
  return (
    <button
      type="button"
      disabled={!hydrated}
      // Keeps the focus and its explanation.
      aria-disabled={isFull || undefined}
      aria-pressed={isCompared}
      aria-label={`Compare ${laptop.name}`}
      title={isFull ? `You can compare up to ${MAXIMUM_COMPARED} laptops` : undefined}
      onClick={() => {
        if (isCompared) removeFromComparison(laptop._id);
        else if (!isFull) addToComparison(laptop);
      }}
      className="relative inline-flex min-h-9 select-none items-center gap-2 rounded-lg px-2 font-semibold text-link text-sm hover:bg-accent-soft aria-disabled:opacity-55"
    >
      <span
        className={`grid size-5 place-items-center rounded border ${isCompared ? 'border-accent bg-accent text-surface' : 'border-border-strong'}`}
      >
        {isCompared && <Icon name="check" strokeWidth="2.5" className="size-4" />}
      </span>
      Compare
    </button>
  );
}
