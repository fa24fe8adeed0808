import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { vi } from 'vitest';

// A setup file of vitest. A hash of better-auth takes 100 ms of processor time, which was more than half the time of the
// identity provider's tests. These hashes differ only in their cost. Processes that tests start use better-auth's, and so
// does a test file that calls `vi.unmock('better-auth/crypto')`.
vi.mock('better-auth/crypto', () => {
  const derive = (password: string, salt: string) =>
    scryptSync(password.normalize('NFKC'), salt, 64, { N: 2 });
  return {
    hashPassword: async (password: string) => {
      const salt = randomBytes(16).toString('hex');
      return `${salt}:${derive(password, salt).toString('hex')}`;
    },
    verifyPassword: async ({ hash, password }: { hash: string; password: string }) => {
      const [salt = '', key = ''] = hash.split(':');
      return timingSafeEqual(derive(password, salt), Buffer.from(key, 'hex'));
    },
  };
});
