import { createHmac, hkdfSync } from 'node:crypto';
import { seal, unseal } from '../secrets.ts';

/** Encrypts and hashes the secrets of second factors, so that a copy of the database alone does not reveal them. */
export type Sealing = ReturnType<typeof createSealing>;

/** @param key the provider's data key */
export function createSealing(key: Uint8Array) {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, 'second factor', purpose, 32));
  return {
    /** Encrypts a secret. @param owner user id: it decrypts for no other user */
    seal: (secret: Uint8Array, owner: string): string => seal(secret, derive('seal'), owner),
    /** Decrypts a secret. @throws Error for another key or owner */
    open: (sealed: string, owner: string): Uint8Array => unseal(sealed, derive('seal'), owner),
    /** Hashes a recovery code with the key (HMAC-SHA-256). */
    hash: (code: string, owner: string): Buffer =>
      createHmac('sha256', derive('recovery codes')).update(`${owner}\n${code}`).digest(),
  };
}
