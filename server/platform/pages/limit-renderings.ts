import { largestRange } from '#contract/platform/ip-prefixes.ts';
import { createUnsharedQueue, WorkNotStarted } from '#rate-limits/work-queue.ts';
import { Refusal } from '../http/refusal.ts';
import { type TimeBudget, unlimitedTime } from '../http/time-budget.ts';

/** What a rendering is charged, in milliseconds: pages take 15 to 21 ms of the thread. Their searches are charged apart. */
const RENDERING_MS = 20;

/** The renderings at the same time. Together they block the thread for about 120 ms, and leave connections to the database. */
const MAXIMUM_RUNNING = 6;

/** Milliseconds after which a waiting rendering is refused. A page waits for its data for longer, so it is not the slowest part. */
const MAXIMUM_WAIT_MS = 4_000;

/** As many as the thread can render within the longest wait. */
const MAXIMUM_WAITING = MAXIMUM_WAIT_MS / RENDERING_MS;

/** Together they take a third of a burst of their address. */
const MAXIMUM_WAITING_OF_OWNER = 30;

/** Who asks for a rendering. */
export interface RenderingRequest {
  /** The client's IP address. */
  readonly address: string;
  /** Aborted when the client has left. A rendering that waits is then not started. */
  readonly signal: AbortSignal;
  /** Whether it is charged to the address's time. */
  readonly isCharged: boolean;
}

/**
 * Runs a rendering when its turn comes.
 * @throws Refusal `too_many_requests` when the address has used its time; `busy` when too many renderings wait, this one has
 *   waited too long, or its client has left
 */
export type LimitRendering = <Result>(
  request: RenderingRequest,
  render: () => Promise<Result>,
) => Promise<Result>;

/**
 * Limits renderings in total and by address. Those that wait take turns by address. Each is charged the same, before it waits: its
 * time cannot be measured, because it waits for data while others run, and requests that arrive together would all be let in
 * otherwise.
 */
export function createRenderingLimit(budget: TimeBudget): LimitRendering {
  if (budget === unlimitedTime) return (_request, render) => render();
  // Renderings of kept pages are shared before they come here.
  const queue = createUnsharedQueue({
    concurrency: MAXIMUM_RUNNING,
    maximum: MAXIMUM_WAITING,
    maximumOfOwner: MAXIMUM_WAITING_OF_OWNER,
    maximumWaitMs: MAXIMUM_WAIT_MS,
  });
  return async <Result>(
    { address, signal, isCharged }: RenderingRequest,
    render: () => Promise<Result>,
  ): Promise<Result> => {
    if (isCharged) {
      budget.requireTime(address);
      budget.charge(address, RENDERING_MS);
    }
    try {
      return await queue.run({ owner: largestRange(address), signal }, render);
    } catch (error) {
      if (!(error instanceof WorkNotStarted) && !signal.aborted) throw error;
      throw new Refusal('busy', 'Many pages are being opened right now. Please try again in a few seconds.');
    }
  };
}
