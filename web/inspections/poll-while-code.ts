/** The poll interval in milliseconds, while a code can be used. */
const POLL_INTERVAL_MS = 3_000;

/** The refetch interval of a measurement. @param expiresAt when the shown code expires, ISO 8601; null without one */
export const pollWhileCode = (expiresAt: string | null): number | false =>
  expiresAt !== null && Date.now() < Date.parse(expiresAt) ? POLL_INTERVAL_MS : false;
