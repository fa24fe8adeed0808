import { withJitter } from './keep-stream-open.ts';

/** The first and the longest pause between two reads, in milliseconds. Each one doubles the pause. */
const FIRST_PAUSE_MS = 20_000;
const LONGEST_PAUSE_MS = 120_000;

/**
 * Reads at growing intervals, for a page whose stream of changes is not open. Usually it opens within a second, and nothing is read.
 * @param canRead whether the page is visible and the browser online; otherwise the read is skipped
 * @returns a function that stops polling
 */
export function pollWithoutStream(read: () => void, canRead: () => boolean): () => void {
  let pause = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    timer = setTimeout(() => {
      // A hidden page is refetched by TanStack Query when it becomes visible (`refetchOnWindowFocus`).
      if (canRead()) read();
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      wait();
    }, withJitter(pause));
  };
  wait();
  return () => clearTimeout(timer);
}
