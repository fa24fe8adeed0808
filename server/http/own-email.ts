import { Refusal } from './refusal.ts';
import type { Caller } from './serve.ts';

/**
 * The specification names the caller's e-mail in the query of personal lists. The token decides whose list it is;
 * an e-mail that is another's is refused rather than silently answered with the caller's own rows.
 * @throws Refusal
 */
export function requireOwnEmail(caller: Caller, email: string | undefined): void {
  if (email !== undefined && email !== caller.email) {
    throw new Refusal('not_allowed', 'This list belongs to another account.');
  }
}
