import { createHash } from 'node:crypto';

/** Registration waits for the answer. */
const TIMEOUT_MS = 3_000;

/** The last 35 digits of a hash and its number of breaches; 0 marks padding. */
const LINE = /^([0-9A-F]{35}):(\d+)$/i;

/** The service does not follow the range protocol. */
class ProtocolError extends Error {}

/** Reads the hashes with a prefix of five digits. @throws Error when the service is unavailable, else ProtocolError */
async function readRange(prefix: string, url: string): Promise<{ suffix: string; count: number }[]> {
  const response = await fetch(`${url.replace(/\/?$/, '/')}${prefix}`, {
    // Padding hides the number of hashes from an observer of the traffic.
    headers: { 'add-padding': 'true' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 429 || response.status >= 500) {
    throw new Error(`The breached-password service answered ${response.status}.`);
  }
  if (!response.ok) throw new ProtocolError(`It answered ${response.status}.`);
  const lines = (await response.text()).split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [, suffix, count] = LINE.exec(line) ?? [];
      if (suffix === undefined) throw new ProtocolError('It answered something else.');
      return { suffix: suffix.toUpperCase(), count: Number(count) };
    });
}

/**
 * Asks a service with the range protocol of Have I Been Pwned whether a password is in a known breach. Only the first
 * five digits of its SHA-1 are sent.
 * @param url the part before the five digits, such as `https://api.pwnedpasswords.com/range/`
 * @throws Error when the service does not answer in time or does not follow the protocol
 */
export async function isBreached(password: string, url: string): Promise<boolean> {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  const listed = await readRange(digest.slice(0, 5), url);
  return listed.some(({ suffix, count }) => suffix === digest.slice(5) && count > 0);
}

/**
 * Makes one request at start, so that a wrong URL is noticed before it lets breached passwords through.
 * @param onUnavailable called when the service does not answer: it may be available later
 * @throws Error with a sentence when the URL is not a range service
 */
export async function validateRangeService(
  url: string,
  onUnavailable: (error: unknown) => void,
): Promise<void> {
  try {
    await readRange('00000', url);
  } catch (error) {
    if (!(error instanceof ProtocolError)) return onUnavailable(error);
    throw new Error(
      `No list of breached passwords is at ${url}: ${error.message} The address ends before the five digits, as in https://api.pwnedpasswords.com/range/.`,
    );
  }
}
