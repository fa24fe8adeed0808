import { disableAccount, eraseAccount, resetSecondFactor } from '#contract/identity/service.ts';
import { createClient, Problem } from '#contract/platform/client.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { type Config, internalOrigin } from '../configuration/config.ts';

/** Creates the administration of accounts at the built-in identity provider, over HTTP. */
export function createIdentityAdmin(
  config: Pick<Config, 'host' | 'port'>,
  { identityService }: Pick<Secrets, 'identityService'>,
) {
  const { call } = createClient({
    base: `${internalOrigin(config)}/identity`,
    fetch,
    token: () => identityService,
    timeout: 10_000,
    messages: {
      unreachable: 'the identity provider cannot be reached',
      timeout: 'the identity provider does not answer in time',
      unexpected: 'the identity provider answered in an unexpected way',
    },
  });

  /** @returns whether the account of a call exists @throws Problem for any other refusal */
  const isFound = (answer: Promise<unknown>): Promise<boolean> =>
    answer.then(
      () => true,
      (error: unknown) => {
        if (error instanceof Problem && error.status === 404) return false;
        throw error;
      },
    );

  return {
    disable: (email: string) => isFound(call(disableAccount, { body: { email } })),
    /** @param madeBefore ISO 8601; a later account is kept */
    erase: (email: string, madeBefore?: string) =>
      isFound(call(eraseAccount, { body: { email, madeBefore } })),
    resetSecondFactor: (email: string) => isFound(call(resetSecondFactor, { body: { email } })),
  };
}
