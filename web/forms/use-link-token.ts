import { useEffect, useState } from 'react';

/**
 * What the link of a letter carries after `#`, where browsers send it to nobody; it is taken out of the address at
 * once, so that it stays in no history.
 * @returns undefined until the page's scripts are in charge, null when there is none
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
    // The link may be followed where this page is open already: then nothing is loaded anew.
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return token;
}
