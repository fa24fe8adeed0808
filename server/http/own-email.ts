import { Refusal } from './refusal.ts';
import type { Caller } from './serve.ts';

/**
 * Requires that the `email` query parameter of a personal list, if present, is the caller's own. The token alone decides
 * whose list is returned.
 * @throws Refusal `not_allowed`
 */
export function requireOwnEmail(caller: Caller, email: string | undefined): void {
  if (email !== undefined && email !== caller.email) {
    throw new Refusal('not_allowed', 'This list belongs to another account.');
  }
}
