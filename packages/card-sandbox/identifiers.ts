import { randomInt } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a new identifier in Stripe's format, such as `pi_3…`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomLetters(24)}`;
}

/** Returns what each new record has. @param prefix of its id */
export const newRecord = <K extends string>(kind: K, prefix: string) => ({
  kind,
  id: newId(prefix),
  created: nowInSeconds(),
});

export function randomLetters(length: number): string {
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');
}

/** Returns the time as Stripe writes it: whole seconds since 1970. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
