import type { Key } from './keyboard-layouts.ts';

export interface KeyboardProgress {
  /** The codes of keys that were pressed. */
  pressed: ReadonlySet<string>;
  /** The codes of keys that this keyboard does not have. */
  absent: ReadonlySet<string>;
  /** The code that was pressed last; null at first. */
  latest: string | null;
  /** Whether the latest press asks to leave: Escape or Tab twice in a row. */
  leaves: boolean;
}

export const noKeys: KeyboardProgress = {
  pressed: new Set(),
  absent: new Set(),
  latest: null,
  leaves: false,
};

/** Counts a key. A key that was marked as absent exists after all. @param code `KeyboardEvent.code`; empty for an unknown key */
export function pressKey(progress: KeyboardProgress, code: string): KeyboardProgress {
  if (code === '') return progress;
  const absent = new Set(progress.absent);
  absent.delete(code);
  return {
    pressed: new Set([...progress.pressed, code]),
    absent,
    latest: code,
    leaves: (code === 'Escape' || code === 'Tab') && progress.latest === code,
  };
}

export function markAbsent(progress: KeyboardProgress, code: string): KeyboardProgress {
  return { ...progress, absent: new Set([...progress.absent, code]) };
}

/** The name of a key. Where two keys have the same print, it says which one is meant. */
function wordsFor({ code, label }: Key): string {
  if (code.startsWith('Arrow')) return `${label} arrow`;
  if (code.startsWith('Numpad')) return `${label} of the numeric keypad`;
  if (/^(?:Shift|Control|Alt)Left$/.test(code)) return `left ${label}`;
  return /^(?:Shift|Control|Alt)Right$/.test(code) ? `right ${label}` : label;
}

/** The name of the key that was pressed last: the browser's name for one that the layout does not have. Null at first. */
export function latestKey(rows: readonly (readonly Key[])[], { latest }: KeyboardProgress): string | null {
  const key = rows.flat().find(({ code }) => code === latest);
  return key === undefined ? latest : wordsFor(key);
}

export interface MissingKey {
  code: string;
  words: string;
}

/** The keys of a layout that were neither pressed nor marked as absent. */
export function missingKeys(
  rows: readonly (readonly Key[])[],
  { pressed, absent }: KeyboardProgress,
): MissingKey[] {
  return rows
    .flat()
    .filter(({ code }) => !pressed.has(code) && !absent.has(code))
    .map((key) => ({ code: key.code, words: wordsFor(key) }));
}

/** What is written beside the outcome; null when every key of the layout was pressed. */
export function keyboardFinding(
  rows: readonly (readonly Key[])[],
  progress: KeyboardProgress,
): string | null {
  const missing = missingKeys(rows, progress).map(({ words }) => words);
  const absent = rows.flat().filter(({ code }) => progress.absent.has(code));
  const parts = [
    missing.length === 0 ? null : `No response: ${missing.slice(0, 8).join(' ')}${more(missing.length - 8)}`,
    absent.length === 0
      ? null
      : `Not on this keyboard: ${absent.slice(0, 6).map(wordsFor).join(' ')}${more(absent.length - 6)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('. ');
}

const more = (count: number) => (count > 0 ? ` and ${count} more` : '');
