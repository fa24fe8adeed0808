import { isDeepStrictEqual } from 'node:util';
import type { Check } from './checks.ts';
import { Skipped, type Target } from './target.ts';

/** What a check has found. */
export type Outcome =
  | { kind: 'as expected' }
  | { kind: 'differs'; got: unknown }
  | { kind: 'skipped'; reason: string };

/** Runs one check. An unexpected error counts as a difference, with its message. */
export async function runCheck(check: Check, target: Target): Promise<Outcome> {
  try {
    const got = await check.run(target);
    return isDeepStrictEqual(normalize(got), check.expected)
      ? { kind: 'as expected' }
      : { kind: 'differs', got };
  } catch (error) {
    if (error instanceof Skipped) return { kind: 'skipped', reason: error.message };
    return { kind: 'differs', got: error instanceof Error ? error.message : String(error) };
  }
}

/** Drops what JSON drops, so that a result compares with an object literal. */
const normalize = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
