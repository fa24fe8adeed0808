import { createHash } from 'node:crypto';

/** How long the service may take, in milliseconds: nobody waits longer to register. */
const LIMIT = 3_000;

/**
 * Asks a service that speaks the range protocol of Have I Been Pwned whether a password is in a known breach. Only
 * the first five digits of its SHA-1 leave this machine.
 * @param url what the five digits are appended to, such as `https://api.pwnedpasswords.com/range/`
 * @throws when the service does not answer in time, or something else
 */
export async function isInBreach(password: string, url: string): Promise<boolean> {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  const response = await fetch(`${url.replace(/\/?$/, '/')}${digest.slice(0, 5)}`, {
    // Padding hides from whoever sees the traffic how many answers there are.
    headers: { 'add-padding': 'true' },
    redirect: 'error',
    signal: AbortSignal.timeout(LIMIT),
  });
  if (!response.ok) throw new Error(`The list of breached passwords answered ${response.status}.`);
  const rest = digest.slice(5);
  return (await response.text()).split('\n').some((line) => {
    const [suffix, count] = line.trim().split(':');
    return suffix?.toUpperCase() === rest && Number(count) > 0;
  });
}
