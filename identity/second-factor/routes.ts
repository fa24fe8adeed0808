import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  addPasskey,
  beginAuthenticator,
  confirmAuthenticator,
  readNewPasskeyOptions,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
} from '#contract/identity/second-factor.ts';
import { readSignInPasskeyOptions, signInWithCode, signInWithPasskey } from '#contract/identity/sign-in.ts';
import { parse } from '../input.ts';
import { identifyClient } from '../known-clients/known-clients.ts';
import type { Identity } from '../provider.ts';
import { Refusal } from '../refusals.ts';
import { requireComplete, serve } from '../serve.ts';
import type { RequestHelpers } from '../sessions/request-helpers.ts';
import type { UserSession } from '../sessions/session.ts';
import { setLogFields } from '../sign-in-log/sign-in-log.ts';
import { isTotpCode, normalizeCode } from './codes.ts';
import type { StoreFactor } from './store.ts';

/** The authentication methods of a session (RFC 8176 `amr` values, separated by spaces) with more added. */
function withMethods(session: UserSession['session'], ...more: string[]): string {
  const known = (session.methods ?? '').split(' ').filter((method) => method !== '');
  return [...new Set([...known, ...more])].join(' ');
}

/** Routes of authenticator apps, recovery codes and passkeys. */
export function secondFactorRoutes(provider: Identity, requests: RequestHelpers) {
  const { secondFactorCodes, secondFactorStore, passkeys } = provider;

  /** Adds a factor and replaces the session by one that has verified it. */
  async function addFactor(
    request: FastifyRequest,
    reply: FastifyReply,
    { user, session }: UserSession,
    { method, store }: { method: string; store: StoreFactor },
  ) {
    const { token, result: recoveryCodes } = await requests.openReplacement(
      request,
      user.id,
      withMethods(session, method, 'mfa'),
      (kept) => secondFactorCodes.addFactor(user.id, { replaced: session.id, kept }, store),
    );
    await provider.sendNotice('second-factor-added', user.id);
    return { ...requireComplete(await requests.toSignInResult(request, reply, token)), recoveryCodes };
  }

  /** Notifies the owner of a removed factor. */
  async function finishRemoval(userId: string): Promise<{ success: true }> {
    await provider.sendNotice('second-factor-removed', userId);
    return { success: true };
  }

  const parsePasskeyResponse = (request: FastifyRequest): AuthenticationResponseJSON => {
    const { response } = parse(signInWithPasskey.body, request.body);
    const { userHandle, ...rest } = response.response;
    return {
      ...response,
      clientExtensionResults: {},
      response: { ...rest, ...(userHandle == null ? {} : { userHandle }) },
    };
  };

  /** Returns the session whose second factor is pending; null without a bearer token, when the passkey signs in alone. */
  const findPendingSession = async (request: FastifyRequest) =>
    request.headers.authorization === undefined ? null : requests.requirePendingSession(request);

  return async function routes(scope: FastifyInstance): Promise<void> {
    serve(scope, signInWithCode, async (request, reply) => {
      const pending = await requests.requirePendingSession(request);
      const { code } = parse(signInWithCode.body, request.body);
      if (!isTotpCode(normalizeCode(code))) setLogFields(request, { attempt: 'recovery-code' });
      const client = await provider.knownClients.recognize(pending.user, identifyClient(request));
      await secondFactorCodes.verifyCode(pending.user.id, client, code);
      return requireComplete(
        await requests.replaceSession(request, reply, pending, withMethods(pending.session, 'otp', 'mfa')),
      );
    });

    serve(scope, readSignInPasskeyOptions, async (request) => {
      const pending = await findPendingSession(request);
      return { ...(await passkeys.signInOptions(pending?.user.id ?? null)) };
    });
    serve(scope, signInWithPasskey, async (request, reply) => {
      const pending = await findPendingSession(request);
      const response = parsePasskeyResponse(request);
      const owner = (await secondFactorStore.findPasskey(response.id))?.userId;
      if (pending === null && owner !== undefined) setLogFields(request, { account: owner });
      const userId = await passkeys.verify(pending?.user.id ?? null, response);
      if (pending !== null) {
        return requireComplete(
          await requests.replaceSession(request, reply, pending, withMethods(pending.session, 'pop', 'mfa')),
        );
      }
      const { id, token } = await requests.openSession(request, userId, 'pop mfa');
      // The passkey may have been removed concurrently.
      if ((await secondFactorStore.findPasskey(response.id)) === null) {
        await provider.sessions.end(userId, id);
        throw new Refusal('passkey_refused');
      }
      return requireComplete(await requests.toSignInResult(request, reply, token));
    });

    serve(scope, beginAuthenticator, async (request) => {
      const session = await requests.requireReauthentication(request);
      return secondFactorCodes.beginTotpSetup(session.user, session.session.id);
    });
    serve(scope, confirmAuthenticator, async (request, reply) => {
      const session = await requests.requireSession(request);
      const { code } = parse(confirmAuthenticator.body, request.body);
      const source = { sessionId: session.session.id };
      const store = await secondFactorCodes.confirmTotp(session.user.id, source, code);
      return addFactor(request, reply, session, { method: 'otp', store });
    });
    serve(scope, removeAuthenticator, async (request) => {
      const session = await requests.requireReauthentication(request);
      if (!(await secondFactorStore.removeTotp(session.user.id))) throw new Refusal('not_found');
      return finishRemoval(session.user.id);
    });
    serve(scope, renewRecoveryCodes, async (request) => {
      const session = await requests.requireReauthentication(request);
      if (!(await secondFactorStore.hasSecondFactor(session.user.id))) throw new Refusal('not_found');
      const recoveryCodes = await secondFactorCodes.renewRecoveryCodes(session.user.id);
      await provider.sendNotice('recovery-codes-renewed', session.user.id);
      return { recoveryCodes };
    });

    serve(scope, readNewPasskeyOptions, async (request) => {
      const session = await requests.requireReauthentication(request);
      return { ...(await passkeys.registrationOptions(session.user)) };
    });
    serve(scope, addPasskey, async (request, reply) => {
      const session = await requests.requireSession(request);
      const { name, response } = parse(addPasskey.body, request.body);
      const credential: RegistrationResponseJSON = {
        ...response,
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.response.clientDataJSON,
          attestationObject: response.response.attestationObject,
          transports: response.response.transports,
        },
      };
      const store = await passkeys.verifyRegistration(
        session.user.id,
        name === '' ? 'Passkey' : name,
        credential,
      );
      return addFactor(request, reply, session, { method: 'pop', store });
    });
    serve(scope, removePasskey, async (request) => {
      const session = await requests.requireReauthentication(request);
      const { id } = parse(removePasskey.params, request.params);
      if (!(await secondFactorStore.removePasskey(session.user.id, id))) throw new Refusal('not_found');
      return finishRemoval(session.user.id);
    });
  };
}
