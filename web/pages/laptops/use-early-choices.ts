import { useEffect, useState } from 'react';
import { withToggled, withValues } from './search-url.ts';
import type { SearchState } from './use-search-state.ts';

/** The parameters with what was chosen and typed in a form of the page since the server rendered it; null for nothing. */
function withChanges(id: string, parameters: URLSearchParams): URLSearchParams | null {
  let next = parameters;
  for (const control of document.forms.namedItem(id)?.elements ?? []) {
    if (!(control instanceof HTMLInputElement)) continue;
    const { name, value } = control;
    if (control.checked !== control.defaultChecked) next = withToggled(next, name, value);
    else if (value !== control.defaultValue) next = withValues(next, { [name]: value });
  }
  return next === parameters ? null : next;
}

/**
 * Shows the results of what was chosen in a form before this script ran. React gives controls the values of its first render, so
 * the form is read in that: afterwards the choices are gone.
 * @param id of the form; empty for one that the server has not rendered
 */
export function useEarlyChoices(id: string, { parameters, show }: SearchState): void {
  const [chosen] = useState(() => (typeof document === 'undefined' ? null : withChanges(id, parameters)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it was chosen once
  useEffect(() => {
    if (chosen !== null) show(chosen);
  }, []);
}
