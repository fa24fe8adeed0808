import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts and hashes the secrets of second factors, so that a copy of the database alone does not reveal them. */
export type Sealing = ReturnType<typeof createSealing>;

/** @param key returns the provider's data key, which is known once the provider has started */
export function createSealing(key: () => Uint8Array) {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key(), 'second factor', purpose, 32));
  return {
    /** Encrypts a secret. @param owner user id, authenticated with the ciphertext: it decrypts for no other user */
    seal(secret: Uint8Array, owner: string): string {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', derive('seal'), nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    /** Decrypts a secret. @throws Error for another key or owner */
    open(sealed: string, owner: string): Uint8Array {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', derive('seal'), bytes.subarray(0, 12), {
        authTagLength: 16,
      });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
    },
    /** Hashes a recovery code with the key (HMAC-SHA-256). */
    hash: (code: string, owner: string): Buffer =>
      createHmac('sha256', derive('recovery codes')).update(`${owner}\n${code}`).digest(),
  };
}
