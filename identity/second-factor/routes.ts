import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  addPasskey,
  beginAuthenticator,
  confirmAuthenticator,
  readNewPasskeyOptions,
  readSignInPasskeyOptions,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  signInWithCode,
  signInWithPasskey,
} from '#contract/identity.ts';
import { parse } from '../input.ts';
import { clientOf } from '../known-clients/known-clients.ts';
import type { Identity } from '../provider.ts';
import { Refusal } from '../refusals.ts';
import { requireComplete, serve } from '../serve.ts';
import type { Desk } from '../sessions/request-helpers.ts';
import type { SessionOfUser } from '../sessions/session.ts';
import { note } from '../sign-in-log/sign-in-log.ts';
import { isAppCode, tidyCode } from './recovery-codes.ts';

/** The authentication methods of a session (RFC 8176 `amr` values, separated by spaces) with more added. */
function withMethods(session: SessionOfUser['session'], ...more: string[]): string {
  const known = (session.methods ?? '').split(' ').filter((method) => method !== '');
  return [...new Set([...known, ...more])].join(' ');
}

/** Routes of authenticator apps, recovery codes and passkeys. */
export function factorRoutes(provider: Identity, desk: Desk) {
  const { factors, factorStore, passkeys } = provider;

  /** Replaces the session after a factor was added, and ends the others: they did not show it. */
  async function factorAdded(
    request: FastifyRequest,
    reply: FastifyReply,
    session: SessionOfUser,
    method: string,
  ) {
    const recoveryCodes = await factors.firstRecoveryCodes(session.user.id);
    await provider.note('second-factor-added', session.user.id);
    const methods = withMethods(session.session, method, 'mfa');
    const newSession = requireComplete(await desk.replace(request, reply, session, methods));
    await provider.endOtherSessions(session.user.id, newSession.sessionToken);
    return { ...newSession, recoveryCodes };
  }

  async function factorRemoved(userId: string): Promise<{ success: true }> {
    await factors.forgetUnneededCodes(userId);
    await provider.note('second-factor-removed', userId);
    return { success: true };
  }

  const passkeyResponse = (request: FastifyRequest): AuthenticationResponseJSON => {
    const { response } = parse(signInWithPasskey.body, request.body);
    const { userHandle, ...rest } = response.response;
    return {
      ...response,
      clientExtensionResults: {},
      response: { ...rest, ...(userHandle == null ? {} : { userHandle }) },
    };
  };

  /** The challenged sign-in; null without a bearer token, when the passkey signs in alone. */
  const dueIfAny = async (request: FastifyRequest) =>
    request.headers.authorization === undefined ? null : desk.dueSessionOf(request);

  return async function routes(scope: FastifyInstance): Promise<void> {
    serve(scope, signInWithCode, async (request, reply) => {
      const due = await desk.dueSessionOf(request);
      const { code } = parse(signInWithCode.body, request.body);
      if (!isAppCode(tidyCode(code))) note(request, { attempt: 'recovery-code' });
      const client = await provider.clients.recognize(due.user, clientOf(request));
      await factors.prove(due.user.id, client, code);
      return requireComplete(await desk.replace(request, reply, due, withMethods(due.session, 'otp', 'mfa')));
    });

    serve(scope, readSignInPasskeyOptions, async (request) => {
      const due = await dueIfAny(request);
      return { ...(await passkeys.request(due?.user.id ?? null)) };
    });
    serve(scope, signInWithPasskey, async (request, reply) => {
      const due = await dueIfAny(request);
      const response = passkeyResponse(request);
      const owner = (await factorStore.passkey(response.id))?.userId;
      if (due === null && owner !== undefined) note(request, { account: owner });
      const userId = await passkeys.prove(due?.user.id ?? null, response);
      if (due !== null) {
        return requireComplete(
          await desk.replace(request, reply, due, withMethods(due.session, 'pop', 'mfa')),
        );
      }
      const sessionToken = await provider.openSession(userId, 'pop mfa', {
        userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
        ipAddress: request.ip,
      });
      // The passkey may have been removed concurrently.
      if ((await factorStore.passkey(response.id)) === null) {
        await provider.endSession(sessionToken);
        throw new Refusal('passkey_refused');
      }
      return requireComplete(await desk.enter(request, reply, sessionToken));
    });

    serve(scope, beginAuthenticator, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      return factors.begin(session.user, session.session.id);
    });
    serve(scope, confirmAuthenticator, async (request, reply) => {
      const session = await desk.sessionOf(request);
      const { code } = parse(confirmAuthenticator.body, request.body);
      await factors.confirm(session.user.id, { sessionId: session.session.id }, code);
      return factorAdded(request, reply, session, 'otp');
    });
    serve(scope, removeAuthenticator, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      if (!(await factorStore.removeTotp(session.user.id))) throw new Refusal('not_found');
      return factorRemoved(session.user.id);
    });
    serve(scope, renewRecoveryCodes, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      if (!(await factors.isOn(session.user.id))) throw new Refusal('not_found');
      return { recoveryCodes: await factors.newRecoveryCodes(session.user.id) };
    });

    serve(scope, readNewPasskeyOptions, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      return { ...(await passkeys.creation(session.user)) };
    });
    serve(scope, addPasskey, async (request, reply) => {
      const session = await desk.sessionOf(request);
      const { name, response } = parse(addPasskey.body, request.body);
      const made: RegistrationResponseJSON = {
        ...response,
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.response.clientDataJSON,
          attestationObject: response.response.attestationObject,
          transports: response.response.transports,
        },
      };
      await passkeys.add(
        { userId: session.user.id, sessionId: session.session.id },
        name === '' ? 'Passkey' : name,
        made,
      );
      return factorAdded(request, reply, session, 'pop');
    });
    serve(scope, removePasskey, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      const { id } = parse(removePasskey.params, request.params);
      if (!(await factorStore.removePasskey(session.user.id, id))) throw new Refusal('not_found');
      return factorRemoved(session.user.id);
    });
  };
}
