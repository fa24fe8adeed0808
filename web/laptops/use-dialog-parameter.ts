import { useEffect, useRef } from 'react';
import { type Location, useLocation, useNavigate, useSearchParams } from 'react-router';

/** The history state of a dialog that was opened by a click on its page. */
export const openedOnThisPage = { dialogOpenedHere: true } as const;

/** The parameters with another value of one of them; null removes it. The others may say what the page shows. */
export function withParameter(
  parameters: URLSearchParams,
  name: string,
  value: string | null,
): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  if (value === null) changed.delete(name);
  else changed.set(name, value);
  return changed;
}

/**
 * A dialog that the URL opens, by a parameter. Opening pushes a history entry, closing goes back.
 * @returns `value`: of the parameter; null while the dialog is closed
 */
export function useDialogParameter(name: string) {
  const [search, setSearch] = useSearchParams();
  const { key, state }: Location<unknown> = useLocation();
  const navigate = useNavigate();
  /** True while going back is pending. A second `navigate(-1)` would leave the page. */
  const closing = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reset when the history entry changes
  useEffect(() => {
    closing.current = false;
  }, [key]);
  return {
    value: search.get(name),
    open: (value: string) =>
      setSearch((current) => withParameter(current, name, value), {
        state: openedOnThisPage,
        preventScrollReset: true,
      }),
    close: () => {
      if (closing.current) return;
      closing.current = true;
      const isOpenedOnThisPage = typeof state === 'object' && state !== null && 'dialogOpenedHere' in state;
      // A dialog opened by a link has no history entry of its page before it.
      if (isOpenedOnThisPage) void navigate(-1);
      else {
        setSearch((current) => withParameter(current, name, null), {
          replace: true,
          preventScrollReset: true,
        });
      }
    },
  };
}
