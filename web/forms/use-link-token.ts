import { useEffect, useState } from 'react';

/**
 * Reads the token from the URL fragment of an emailed link. Browsers send a fragment to no server. It is removed from
 * the URL at once, so that it stays out of the history.
 * @returns undefined before hydration, null without a token
 */
export function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const read = () => {
      const { hash, pathname, search } = window.location;
      setToken((known) => (hash.length > 1 ? hash.slice(1) : (known ?? null)));
      if (hash !== '') window.history.replaceState(window.history.state, '', `${pathname}${search}`);
    };
    read();
    // Opening the link in a tab with this page changes the hash without a reload.
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return token;
}
