// Replaces better-auth's password hashes by quick ones: a hash takes 100 ms of processor time, which was more than half the
// time of the identity provider's tests. These differ only in their cost.
//
// The unit tests mock `better-auth/crypto` with this module. The shop of the journeys imports it instead
// (use-quick-hashes.js).
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

const derive = (password: string, salt: string) => scryptSync(password.normalize('NFKC'), salt, 64, { N: 2 });

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${derive(password, salt).toString('hex')}`;
}

export async function verifyPassword({
  hash,
  password,
}: {
  hash: string;
  password: string;
}): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':');
  return timingSafeEqual(derive(password, salt), Buffer.from(key, 'hex'));
}
