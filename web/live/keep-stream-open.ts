import type { LiveChange } from '#contract/platform/live.ts';
import { readChanges } from './read-changes.ts';

/** The pauses before the stream is opened again, in milliseconds. Each failure in a row doubles the pause. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** A stream that was open at least this long, in milliseconds, has not failed. */
const SETTLED_AFTER_MS = 10_000;

/** The server sends at least a comment every 20 s. A stream that is silent for this long, in milliseconds, is lost. */
const SILENCE_MS = 45_000;

/** What a stream needs of the browser. */
export interface StreamEnvironment {
  /** Opens the stream with the shop's token, which is renewed when the shop rejects it. */
  open(signal: AbortSignal): Promise<Response>;
  /** Whether the page is visible and the browser online. A page that becomes visible reads its data anew. */
  isWanted(): boolean;
  /** Calls back when {@link isWanted} may have changed. @returns a function that unsubscribes */
  watchWanted(listener: () => void): () => void;
}

/** Callbacks of a stream. */
export interface StreamListener {
  onChange(change: LiveChange): void;
  /** Called whenever something arrives, such as the comments that show that the stream is open. */
  onAlive(): void;
  /** Called when the stream has ended. */
  onEnd(): void;
}

/** A random part of a pause, so that the pages do not all come back at the same time. */
export const withJitter = (milliseconds: number): number => milliseconds * (0.5 + Math.random() / 2);

/** Resolves after a pause, or earlier when the stream may be wanted again. */
async function pause(
  milliseconds: number,
  environment: Pick<StreamEnvironment, 'watchWanted'>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const ended = Promise.withResolvers<void>();
  const end = () => ended.resolve();
  const timer = Number.isFinite(milliseconds) ? setTimeout(end, milliseconds) : undefined;
  const stopWaiting = environment.watchWanted(end);
  signal.addEventListener('abort', end);
  await ended.promise;
  clearTimeout(timer);
  stopWaiting();
  signal.removeEventListener('abort', end);
}

/** How long the server asks to wait, in milliseconds; 0 when it does not. */
const retryAfter = ({ headers }: Response): number => (Number(headers.get('retry-after')) || 0) * 1_000;

/**
 * Opens the stream once and reads it to its end.
 * @returns how long to wait at least before it is opened again, in milliseconds
 */
async function openOnce(
  environment: StreamEnvironment,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<number> {
  const attempt = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const waitForMore = () => {
    clearTimeout(silence);
    silence = setTimeout(() => attempt.abort(), SILENCE_MS);
  };
  const onRead = () => {
    waitForMore();
    listener.onAlive();
  };
  const stopWatching = environment.watchWanted(() => {
    if (!environment.isWanted()) attempt.abort();
  });
  waitForMore();
  try {
    const response = await environment.open(AbortSignal.any([signal, attempt.signal]));
    if (response.ok && response.body !== null) await readChanges(response.body, listener.onChange, onRead);
    else await response.body?.cancel();
    return retryAfter(response);
  } catch {
    // The connection is lost, or cannot be made. Both are tried again.
    return 0;
  } finally {
    clearTimeout(silence);
    stopWatching();
    listener.onEnd();
  }
}

/** Keeps the stream of changes open while it is wanted, until `signal` is aborted, with pauses that grow while it fails. */
export async function keepStreamOpen(
  environment: StreamEnvironment,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    if (!environment.isWanted()) {
      await pause(Number.POSITIVE_INFINITY, environment, signal);
      continue;
    }
    const openedAt = Date.now();
    const requested = await openOnce(environment, listener, signal);
    failures = Date.now() - openedAt >= SETTLED_AFTER_MS ? 0 : failures + 1;
    const backOff = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS);
    await pause(withJitter(Math.max(backOff, requested)), environment, signal);
  }
}
