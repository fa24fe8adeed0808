import { createContext, useContext } from 'react';

const Nonce = createContext<string | undefined>(undefined);

export const NonceProvider = Nonce.Provider;

/** The nonce of the document being rendered; undefined in the browser, where nonces cannot be read back. */
export function useNonce(): string | undefined {
  return useContext(Nonce);
}
