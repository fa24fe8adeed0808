import { createHash } from 'node:crypto';

/** How long the service may take, in milliseconds: nobody waits longer to register. */
const LIMIT = 3_000;

/** The rest of a hash, and how often its password is in breaches; padding says 0. */
const LINE = /^([0-9A-F]{35}):(\d+)$/i;

/** What answers is not a service that speaks the range protocol. */
class NotRange extends Error {}

/** The lines about all hashes that begin with five digits. @throws when the service is away; NotRange for another one */
async function range(digits: string, url: string): Promise<{ rest: string; count: number }[]> {
  const response = await fetch(`${url.replace(/\/?$/, '/')}${digits}`, {
    // Padding hides from whoever sees the traffic how many answers there are.
    headers: { 'add-padding': 'true' },
    redirect: 'error',
    signal: AbortSignal.timeout(LIMIT),
  });
  if (response.status === 429 || response.status >= 500) {
    throw new Error(`The list of breached passwords answered ${response.status}.`);
  }
  if (!response.ok) throw new NotRange(`It answered ${response.status}.`);
  const lines = (await response.text()).split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [, rest, count] = LINE.exec(line) ?? [];
      if (rest === undefined) throw new NotRange('It answered something else.');
      return { rest: rest.toUpperCase(), count: Number(count) };
    });
}

/**
 * Asks a service that speaks the range protocol of Have I Been Pwned whether a password is in a known breach. Only
 * the first five digits of its SHA-1 leave this machine.
 * @param url what the five digits are appended to, such as `https://api.pwnedpasswords.com/range/`
 * @throws when the service does not answer in time, or something else
 */
export async function isInBreach(password: string, url: string): Promise<boolean> {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  const listed = await range(digest.slice(0, 5), url);
  return listed.some(({ rest, count }) => rest === digest.slice(5) && count > 0);
}

/**
 * Asks once, about nobody's password, so that a wrong address shows at the start and not as passwords let through.
 * @param away told when there is no answer: such a service may come back
 * @throws Error with a sentence when what answers is not such a service
 */
export async function demandRange(url: string, away: (error: unknown) => void): Promise<void> {
  try {
    await range('00000', url);
  } catch (error) {
    if (!(error instanceof NotRange)) return away(error);
    throw new Error(
      `No list of breached passwords is at ${url}: ${error.message} The address ends before the five digits, as in https://api.pwnedpasswords.com/range/.`,
    );
  }
}
