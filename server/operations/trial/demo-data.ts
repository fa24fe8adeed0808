import { findActiveEmails, grantAdmin } from '#server/people/accounts/steps.ts';
import { withAdvisoryLock } from '#server/platform/database/advisory-locks.ts';
import { withDatabase } from '#server/platform/database/connect.ts';
import { type Config, ConfigurationError, internalOrigin } from '../configuration/config.ts';

/**
 * Rejects a database that contains demo accounts: the password of the demo admin is published.
 * @throws ConfigurationError
 */
export async function rejectDemoAccounts(directUrl: string): Promise<void> {
  const { demoAccounts } = await import('#demo/accounts.ts');
  const emails = demoAccounts.map(({ email }) => email);
  const present = await withDatabase(directUrl, (database) => findActiveEmails(database, emails));
  if (present.length === 0) return;
  throw new ConfigurationError([
    `This database has demo accounts, whose password is published: ${present.join(', ')}. Use an empty database (another DATABASE_URL or COOMERCIO_DATA), or set SANDBOX=1 if this is a demonstration.`,
  ]);
}

/**
 * Adds the demo data if the shop has no laptops.
 * @returns the lines to print
 * @throws the reason of `shutdown`, after the running step has ended
 */
export async function fillEmptyShop(
  config: Config,
  {
    directUrl,
    photoKey,
    inboxUrl,
    log,
  }: {
    directUrl: string;
    photoKey: string;
    inboxUrl: string | null;
    log: (line: string) => void;
  },
  shutdown: AbortSignal,
): Promise<readonly string[]> {
  const { demoAccountLines, fillShop } = await import('#demo/fill.ts');
  shutdown.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  shutdown.addEventListener('abort', () => stopped.reject(shutdown.reason), { once: true });
  let filling: Promise<void> | undefined;
  const fill = () => {
    filling = fillShop({
      origin: internalOrigin(config),
      photoKey,
      currency: config.demoCurrency,
      ...(inboxUrl !== null && { inboxUrl }),
      grantAdmin: async (email) => {
        await withDatabase(directUrl, (database) => grantAdmin(database, email));
      },
      log,
      signal: shutdown,
    });
    return filling;
  };
  try {
    // Another process may hold the lock; a shutdown must not wait for it.
    await Promise.race([withAdvisoryLock(directUrl, 'demo data', fill), stopped.promise]);
  } finally {
    await Promise.allSettled([filling]);
  }
  return demoAccountLines;
}
