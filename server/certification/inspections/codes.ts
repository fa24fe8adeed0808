import { createHash, randomBytes } from 'node:crypto';
import { canonicalCode, formatCode } from './rules.ts';

/** A new one-time code. */
export const newCode = (): string => formatCode(randomBytes(12));

/** The hash under which a typed code is stored. */
export const hashCode = (typed: string): string =>
  createHash('sha256').update(canonicalCode(typed)).digest('hex');
