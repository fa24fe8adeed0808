import { useState } from 'react';

/** How the laptops of a category are shown. */
export type ShelfView = 'large' | 'compact';

const KEY = 'coomercioShelfView';

function read(): ShelfView {
  try {
    return localStorage.getItem(KEY) === 'compact' ? 'compact' : 'large';
  } catch {
    // Storage may be forbidden; the large cards are what everybody gets at first.
    return 'large';
  }
}

/**
 * How this browser shows laptops, remembered. It is known at the first drawing: a category is drawn only where
 * somebody is signed in, which the server never knows.
 */
export function useShelfView(): [view: ShelfView, choose: (view: ShelfView) => void] {
  const [view, setView] = useState(read);
  return [
    view,
    (chosen) => {
      setView(chosen);
      try {
        localStorage.setItem(KEY, chosen);
      } catch {
        // The choice then lasts as long as the page.
      }
    },
  ];
}

const choices = [
  { view: 'large', label: 'Large cards', path: 'M3 4h14v12H3zM11 4v12' },
  { view: 'compact', label: 'Compact grid', path: 'M3 3h5v5H3zM12 3h5v5h-5zM3 12h5v5H3zM12 12h5v5h-5z' },
] as const;

interface ShelfViewSwitchProps {
  view: ShelfView;
  onChoose: (view: ShelfView) => void;
}

/** Switches between large cards and the compact grid. */
export function ShelfViewSwitch({ view, onChoose }: ShelfViewSwitchProps) {
  return (
    <fieldset className="flex rounded-lg border border-edge bg-surface p-1">
      <legend className="sr-only">Show the laptops as</legend>
      {choices.map(({ view: own, label, path }) => (
        <label
          key={own}
          className="relative flex min-h-9 select-none items-center gap-2 rounded-md px-3 font-semibold text-quiet text-sm has-checked:bg-sunken has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-aubergine has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name="shelf-view"
            // Over its label, so that it is where it is seen to be.
            className="absolute inset-0 cursor-pointer opacity-0"
            checked={view === own}
            onChange={() => onChoose(own)}
          />
          <svg viewBox="0 0 20 20" className="size-4" aria-hidden="true">
            <path d={path} fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinejoin="round" />
          </svg>
          {label}
        </label>
      ))}
    </fieldset>
  );
}
