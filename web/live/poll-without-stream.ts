import { withJitter } from './keep-stream-open.ts';

/** The first and the longest pause between two reads, in milliseconds. Each one doubles the pause. */
const FIRST_PAUSE_MS = 20_000;
const LONGEST_PAUSE_MS = 120_000;

/**
 * Reads at growing intervals, for a page whose stream of changes is not open. Usually it opens within a second, and nothing is read.
 * @param isShown whether somebody sees the page and there is a connection; nothing is read meanwhile
 * @returns stops that
 */
export function pollWithoutStream(read: () => void, isShown: () => boolean): () => void {
  let pause = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    timer = setTimeout(() => {
      // A page that nobody sees is read when it is shown again.
      if (isShown()) read();
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      wait();
    }, withJitter(pause));
  };
  wait();
  return () => clearTimeout(timer);
}
