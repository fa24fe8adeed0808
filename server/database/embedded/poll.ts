import { setTimeout as delay } from 'node:timers/promises';

/** Polls until a condition holds. @returns `false` when it did not within `timeoutMs` */
export async function pollUntil(timeoutMs: number, condition: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
