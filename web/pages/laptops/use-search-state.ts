import { startTransition, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { searchUrl } from './search-url.ts';

/** The search of the results page, whose state is the URL. */
export interface SearchState {
  /** The parameters that were asked for last; those of the shown results when nothing is being loaded. */
  parameters: URLSearchParams;
  /** Whether other results are being loaded. The shown ones are stale. */
  isPending: boolean;
  /** Shows the results of other parameters, from the first page, as a new entry of the browser's history. */
  show: (parameters: URLSearchParams) => void;
}

/** @param shown the parameters of the shown results, as the loader parsed them */
export function useSearchState(shown: string): SearchState {
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  const navigate = useNavigate();
  // The router announces a navigation in a transition, but a checkbox has to change with the click.
  const [asked, setAsked] = useState<URLSearchParams | null>(null);
  const pending = next?.pathname === pathname ? next.search : undefined;
  return {
    parameters: asked ?? new URLSearchParams(pending ?? shown),
    isPending: asked !== null || pending !== undefined,
    show: async (parameters) => {
      setAsked(parameters);
      await navigate(searchUrl(parameters), { preventScrollReset: true });
      // In a transition, so that it is rendered with the results.
      startTransition(() => setAsked((latest) => (latest === parameters ? null : latest)));
    },
  };
}
