import { useEffect, useState } from 'react';

/**
 * What the link of a letter carries after `#`, where browsers send it to nobody; it is taken out of the address at
 * once, so that it stays in no history.
 * @returns undefined until the page's scripts are in charge, null when there is none
 */
export function useLinkToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>();
  useEffect(() => {
    const { hash, pathname, search } = window.location;
    if (hash.length > 1) {
      setToken(hash.slice(1));
      window.history.replaceState(window.history.state, '', `${pathname}${search}`);
    } else setToken((known) => known ?? null);
  }, []);
  return token;
}
