import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps secrets of second factors so that a copy of the database alone is of no use. */
export interface Sealing {
  /** @param owner bound to the seal: what is sealed for one user opens for no other */
  seal(secret: Uint8Array, owner: string): string;
  /** @throws when it was not sealed with this key for this owner */
  open(sealed: string, owner: string): Uint8Array;
  /** A recovery code as it is kept: recognisable, not readable. */
  hash(code: string, owner: string): Buffer;
}

/** @param key the provider's own, known once it has started; what was sealed with another is lost */
export function createSealing(key: () => Uint8Array): Sealing {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key(), 'second factor', purpose, 32));
  return {
    seal(plain, owner) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', derive('seal'), nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(text, owner) {
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', derive('seal'), bytes.subarray(0, 12), {
        authTagLength: 16,
      });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
    },
    hash: (code, owner) =>
      createHmac('sha256', derive('recovery codes')).update(`${owner}\n${code}`).digest(),
  };
}
