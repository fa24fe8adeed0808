import { useState } from 'react';
import { tryStorage } from '../../ui/browser-storage.ts';
import { Icon } from '../../ui/icon.tsx';
import { isNarrower } from './is-narrower.ts';

/** How a category shows its laptops. */
export type CardSize = 'large' | 'compact';

const KEY = 'coomercioShelfView';

function read(): CardSize {
  const stored = tryStorage(() => localStorage.getItem(KEY));
  if (stored === 'compact' || stored === 'large') return stored;
  // Below this width a large card is a column, which is higher than the window.
  return isNarrower('64rem') ? 'compact' : 'large';
}

/**
 * The card size, stored in localStorage; at first compact on narrow screens. The first render may read it, because a category is never rendered on the
 * server: it needs a signed-in user.
 */
export function useCardSize(): [view: CardSize, choose: (view: CardSize) => void] {
  const [view, setView] = useState(read);
  return [
    view,
    (chosen) => {
      setView(chosen);
      tryStorage(() => localStorage.setItem(KEY, chosen));
    },
  ];
}

const choices = [
  { view: 'large', label: 'Large cards', path: 'M3 4h14v12H3zM11 4v12' },
  { view: 'compact', label: 'Compact grid', path: 'M3 3h5v5H3zM12 3h5v5h-5zM3 12h5v5H3zM12 12h5v5h-5z' },
] as const;

interface CardSizeSwitchProps {
  view: CardSize;
  onChoose: (view: CardSize) => void;
}

/** Switches between large cards and the compact grid. */
export function CardSizeSwitch({ view, onChoose }: CardSizeSwitchProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap rounded-lg border border-edge bg-surface p-1">
      <legend className="sr-only">Show the laptops as</legend>
      {choices.map(({ view: own, label, path }) => (
        <label
          key={own}
          className="relative flex min-h-9 select-none items-center gap-2 rounded-md px-3 font-semibold text-quiet text-sm has-checked:bg-line has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-aubergine has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name="shelf-view"
            // Covers its label, so that its position is the visible one.
            className="absolute inset-0 cursor-pointer opacity-0"
            checked={view === own}
            onChange={() => onChoose(own)}
          />
          <Icon d={path} strokeLinejoin="round" className="size-4" />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
