import { useEffect, useEffectEvent, useState } from 'react';
import type { SearchState } from './use-search-state.ts';

/** Whether a control differs from what the server rendered. */
function isChanged(control: Element): boolean {
  if (control instanceof HTMLSelectElement) {
    const rendered = [...control.options].findIndex(({ defaultSelected }) => defaultSelected);
    return control.selectedIndex !== Math.max(rendered, 0);
  }
  if (!(control instanceof HTMLInputElement)) return false;
  return control.checked !== control.defaultChecked || control.value !== control.defaultValue;
}

/** The values of the changed controls of a form in the page, by their names. */
function readChanges(id: string | undefined): Map<string, string[]> {
  if (id === undefined || typeof document === 'undefined') return new Map();
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement)) return new Map();
  const data = new FormData(form);
  const names = [...form.elements].filter(isChanged).map((control) => control.getAttribute('name') ?? '');
  return new Map(names.map((name) => [name, data.getAll(name).map(String)]));
}

/**
 * Shows the results of what was chosen in a form before this script ran. React gives controls the values of its first render, so
 * the form is read in that: afterwards the choices are gone.
 * @param id of the form; left out for one that the server has not rendered
 */
export function useEarlyChoices(id: string | undefined, { parameters, show }: SearchState): void {
  const [changed] = useState(() => readChanges(id));
  const apply = useEffectEvent(() => {
    if (changed.size === 0) return;
    const next = new URLSearchParams(parameters);
    for (const [name, values] of changed) {
      next.delete(name);
      for (const value of values) next.append(name, value);
    }
    show(next);
  });
  useEffect(() => apply(), []);
}
