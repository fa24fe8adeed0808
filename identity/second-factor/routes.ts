import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ByPasskeyId, Code, NewPasskey, parse, UsedPasskey } from '../input.ts';
import { clientOf } from '../known-clients/known-clients.ts';
import type { Identity } from '../provider.ts';
import { Refusal } from '../refusals.ts';
import { BODY_LIMIT } from '../routes.ts';
import type { Desk } from '../sessions/request-helpers.ts';
import type { SessionOfUser } from '../sessions/session.ts';
import { note } from '../sign-in-log/sign-in-log.ts';
import { isAppCode, tidyCode } from './recovery-codes.ts';

/** How a session was entered, in the words of RFC 8176, with more ways added. */
function withMethods(session: SessionOfUser['session'], ...more: string[]): string {
  const known = (session.methods ?? '').split(' ').filter((method) => method !== '');
  return [...new Set([...known, ...more])].join(' ');
}

/** The endpoints of authenticator apps, recovery codes and passkeys. */
export function factorRoutes(provider: Identity, desk: Desk) {
  const { factors, factorStore, passkeys } = provider;
  const small = { bodyLimit: BODY_LIMIT };

  /** A factor was added in this session: every other session, which did not show it, ends. */
  async function added(request: FastifyRequest, reply: FastifyReply, session: SessionOfUser, method: string) {
    const recoveryCodes = await factors.firstRecoveryCodes(session.user.id);
    await provider.note('second-factor-added', session.user.id);
    const begun = await desk.replace(request, reply, session, withMethods(session.session, method, 'mfa'));
    if ('idToken' in begun) await provider.endOtherSessions(session.user.id, begun.sessionToken);
    return { ...begun, recoveryCodes };
  }

  async function removed(userId: string): Promise<{ success: true }> {
    await factors.forgetUnneededCodes(userId);
    await provider.note('second-factor-removed', userId);
    return { success: true };
  }

  const passkeyResponse = (request: FastifyRequest): AuthenticationResponseJSON => {
    const { response } = parse(UsedPasskey, request.body);
    const { userHandle, ...rest } = response.response;
    return {
      ...response,
      clientExtensionResults: {},
      response: { ...rest, ...(userHandle == null ? {} : { userHandle }) },
    };
  };

  /** Without a sign-in that is due a passkey signs in all by itself. */
  const dueIfAny = async (request: FastifyRequest) =>
    request.headers.authorization === undefined ? null : desk.dueSessionOf(request);

  return async function routes(scope: FastifyInstance): Promise<void> {
    scope.post('/sign-in/code', small, async (request, reply) => {
      const due = await desk.dueSessionOf(request);
      const { code } = parse(Code, request.body);
      if (!isAppCode(tidyCode(code))) note(request, { attempt: 'recovery-code' });
      const client = await provider.clients.recognize(due.user, clientOf(request));
      await factors.prove(due.user.id, client, code);
      return desk.replace(request, reply, due, withMethods(due.session, 'otp', 'mfa'));
    });

    /** With a sign-in whose second factor is due: of that person's passkeys; without: of any. */
    scope.post('/sign-in/passkey/options', small, async (request) => {
      const due = await dueIfAny(request);
      return passkeys.request(due?.user.id ?? null);
    });
    scope.post('/sign-in/passkey', small, async (request, reply) => {
      const due = await dueIfAny(request);
      const response = passkeyResponse(request);
      const owner = (await factorStore.passkey(response.id))?.userId;
      if (due === null && owner !== undefined) note(request, { account: owner });
      const userId = await passkeys.prove(due?.user.id ?? null, response);
      if (due !== null) return desk.replace(request, reply, due, withMethods(due.session, 'pop', 'mfa'));
      const sessionToken = await provider.openSession(userId, 'pop mfa', {
        userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
        ipAddress: request.ip,
      });
      // It may have been removed while its session was opened.
      if ((await factorStore.passkey(response.id)) === null) {
        await provider.endSession(sessionToken);
        throw new Refusal('passkey_refused');
      }
      return desk.enter(request, reply, sessionToken);
    });

    scope.post('/totp', small, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      return factors.begin(session.user, session.session.id);
    });
    scope.post('/totp/confirm', small, async (request, reply) => {
      const session = await desk.sessionOf(request);
      const { code } = parse(Code, request.body);
      await factors.confirm(session.user.id, { sessionId: session.session.id }, code);
      return added(request, reply, session, 'otp');
    });
    scope.post('/totp/remove', small, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      if (!(await factorStore.removeTotp(session.user.id))) throw new Refusal('not_found');
      return removed(session.user.id);
    });
    scope.post('/recovery-codes', small, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      if (!(await factors.isOn(session.user.id))) throw new Refusal('not_found');
      return { recoveryCodes: await factors.newRecoveryCodes(session.user.id) };
    });

    scope.post('/passkeys/options', small, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      return passkeys.creation(session.user);
    });
    scope.post('/passkeys', small, async (request, reply) => {
      const session = await desk.sessionOf(request);
      const { name, response } = parse(NewPasskey, request.body);
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
      return added(request, reply, session, 'pop');
    });
    scope.post('/passkeys/:id/remove', small, async (request) => {
      const session = await desk.sessionOf(request);
      await desk.demandAgain(request, session);
      const { id } = parse(ByPasskeyId, request.params);
      if (!(await factorStore.removePasskey(session.user.id, id))) throw new Refusal('not_found');
      return removed(session.user.id);
    });
  };
}
