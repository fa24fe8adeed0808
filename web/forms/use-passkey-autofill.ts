import { useEffect, useEffectEvent } from 'react';
import { IdentityError } from '../session/identity/errors.ts';
import { useSessionStore } from '../session/session.tsx';
import type { SignIn } from './sign-in.tsx';

/** Whether the browser offers passkeys in the autofill of fields (conditional mediation of WebAuthn). */
async function isSupported(): Promise<boolean> {
  // Browsers define it over HTTPS and on localhost only.
  if (!('PublicKeyCredential' in window)) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/**
 * Offers this browser's passkeys in the autofill of the field whose `autocomplete` ends in `webauthn`, and signs in with the one that is
 * chosen. It ends when the page is left or a passkey is used in another way. The page says nothing when passkeys cannot be offered: it has
 * the other ways to sign in.
 */
export function usePasskeyAutofill(signIn: SignIn): void {
  const store = useSessionStore();
  const signInWith = useEffectEvent(signIn);
  useEffect(() => {
    const left = new AbortController();
    async function offer() {
      if (!(await isSupported()) || left.signal.aborted) return;
      const chosen = await store.run((actions) => actions.choosePasskey(left.signal));
      if (chosen !== null) await signInWith((actions) => actions.signInWithPasskey(chosen));
    }
    offer().catch((error: unknown) => {
      const isUnsupported = error instanceof IdentityError && error.code === 'passkeys_unavailable';
      if (!isUnsupported) console.warn(error);
    });
    return () => left.abort();
  }, [store]);
}
