import { setImmediate as nextTurn } from 'node:timers/promises';

/** Keeps the event loop busy, as many requests do. @returns ends it */
export function keepBusy(): () => Promise<void> {
  let isBusy = true;
  const work = (async () => {
    while (isBusy) {
      const end = performance.now() + 5;
      while (performance.now() < end);
      await nextTurn();
    }
  })();
  return () => {
    isBusy = false;
    return work;
  };
}
