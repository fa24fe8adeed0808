import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { disableAccount, eraseAccount, resetSecondFactor } from '#contract/identity/service.ts';
import { bearerTokenOf, parse } from './input.ts';
import type { Identity } from './provider.ts';
import { Refusal } from './refusals.ts';
import { serve } from './serve.ts';
import { setLogFields } from './sign-in-log/sign-in-log.ts';

/** Compares two secrets in constant time. */
function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Routes for the shop's server, which authenticates with the service secret. */
export function serviceRoutes(provider: Identity, serviceSecret: string) {
  /** @throws Refusal `not_allowed` */
  function requireService(request: FastifyRequest): void {
    if (!isSameSecret(bearerTokenOf(request) ?? '', serviceSecret)) throw new Refusal('not_allowed');
  }

  const unknownAccount = (email: string) => new Refusal('not_found', `No account has ${email}.`);

  return async function routes(scope: FastifyInstance): Promise<void> {
    serve(scope, disableAccount, async (request) => {
      requireService(request);
      const { email } = parse(disableAccount.body, request.body);
      if (!(await provider.accounts.disable(email))) throw unknownAccount(email);
      return { disabled: true as const };
    });
    serve(scope, resetSecondFactor, async (request) => {
      requireService(request);
      const { email } = parse(resetSecondFactor.body, request.body);
      const user = await provider.accounts.findUser({ email });
      if (user === null) throw unknownAccount(email);
      setLogFields(request, { account: user.id });
      await provider.secondFactorStore.removeAll(user.id);
      await provider.sendNotice('second-factor-reset', user.id);
      return { reset: true as const };
    });
    serve(scope, eraseAccount, async (request) => {
      requireService(request);
      const { email, madeBefore } = parse(eraseAccount.body, request.body);
      const erased = await provider.accounts.erase(email, madeBefore);
      if (erased === null) throw unknownAccount(email);
      setLogFields(request, { account: erased });
      return { erased: true as const };
    });
  };
}
