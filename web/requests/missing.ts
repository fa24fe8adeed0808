import { data } from 'react-router';
import { Problem } from '#contract/platform/client.ts';

/** Whether there is nothing at an address. 422: an id in it is not a UUID, or nothing can have such a name. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 404 || error.status === 422);

/**
 * Tells whether a page has nothing to show because there never was anything, or because it is gone.
 * @param report called with any other failure of the shop
 * @throws Response 503, with the sentence of a refusal, when it is not known
 */
export function missingOrThrow(error: unknown, report: (error: unknown) => void): 'unknown' | 'gone' {
  if (!(error instanceof Problem)) throw error;
  if (isMissing(error)) return 'unknown';
  if (error.status === 410) return 'gone';
  report(error);
  throw data(error.status === 503 ? error.message : null, { status: 503 });
}
