import type { FastifyInstance } from 'fastify';
import { endOtherSessions, endSession, listSessions, updateProfile } from '#contract/identity/account.ts';
import {
  continueSignIn,
  issueIdToken,
  reauthenticate,
  signIn,
  signOut,
  signUp,
} from '#contract/identity/sign-in.ts';
import { bearerTokenOf, parse, requireAcceptableName } from '../input.ts';
import { identifyClient } from '../known-clients/known-clients.ts';
import type { Identity } from '../provider.ts';
import { Refusal } from '../refusals.ts';
import { requireComplete, serve } from '../serve.ts';
import type { RequestHelpers } from './request-helpers.ts';

/** Routes of sign-up, sign-in and sessions. */
export function sessionRoutes(provider: Identity, requests: RequestHelpers) {
  const { accounts, sessions, knownClients, passwordHashing } = provider;

  return async function routes(scope: FastifyInstance): Promise<void> {
    serve(scope, signUp, async (request, reply) => {
      const person = parse(signUp.body, request.body);
      requireAcceptableName(person.name, 'name', provider.shopName());
      await provider.checkPassword(person.password, person);
      if ((await accounts.findUser(person)) !== null) throw new Refusal('email_already_in_use');
      const { toResult } = await passwordHashing
        .withPrecomputedHash(person.password, () =>
          requests.authenticate(request, reply, '/sign-up/email', person),
        )
        .catch(async (error: unknown) => {
          const isNotCreated = error instanceof Refusal && error.code === 'identity_unavailable';
          if (isNotCreated && (await accounts.findUser(person)) !== null) {
            // Another sign-up with this address came first.
            throw new Refusal('email_already_in_use');
          }
          throw error;
        });
      await knownClients.recordRegistration(person.email, identifyClient(request));
      await provider.requestEmail('verify-email', person.email, null);
      return requireComplete(await toResult());
    });
    serve(scope, signIn, async (request, reply) => {
      const person = parse(signIn.body, request.body);
      const hashBefore = await accounts.findPasswordHash(person);
      const { sessionToken, toResult } = await requests.authenticate(
        request,
        reply,
        '/sign-in/email',
        person,
      );
      // A concurrent password change ended the existing sessions, but may have missed the one that was just opened.
      if ((await accounts.findPasswordHash(person)) !== hashBefore) {
        await requests.endSession(request, `Bearer ${sessionToken}`);
        throw new Refusal('session_ended');
      }
      return toResult();
    });
    serve(scope, continueSignIn, (request, reply) =>
      requests.toSignInResult(request, reply, bearerTokenOf(request) ?? ''),
    );
    serve(scope, reauthenticate, async (request, reply) => {
      const session = await requests.requireReauthentication(request);
      if (session.confirmedBy === 'password') {
        const { methods } = session.session;
        return requireComplete(await requests.replaceSession(request, reply, session, methods ?? ''));
      }
      // A recent sign-in suffices here, and the session keeps its age.
      return requireComplete(await requests.toSignInResult(request, reply, bearerTokenOf(request) ?? ''));
    });
    serve(scope, signOut, async (request) => {
      await requests.endSession(request);
      return { success: true as const };
    });

    serve(scope, issueIdToken, (request) => requests.issueIdToken(request));

    serve(scope, updateProfile, async (request) => {
      const { user } = await requests.requireSession(request);
      const { displayName, photoURL } = parse(updateProfile.body, request.body);
      if (displayName !== undefined) requireAcceptableName(displayName, 'displayName', provider.shopName());
      const changes = {
        ...(displayName === undefined ? {} : { name: displayName }),
        ...(photoURL === undefined ? {} : { image: photoURL }),
      };
      if (Object.keys(changes).length > 0) await provider.updateUser(user.id, changes);
      return requests.issueIdToken(request);
    });

    serve(scope, listSessions, async (request) => {
      const { user, session } = await requests.requireSession(request);
      const all = await sessions.list(user.id);
      return all.map(({ id, createdAt, updatedAt, userAgent }) => ({
        id,
        signedInAt: createdAt.toISOString(),
        renewedAt: updatedAt.toISOString(),
        userAgent,
        current: id === session.id,
      }));
    });
    serve(scope, endSession, async (request) => {
      const { user } = await requests.requireSession(request);
      const { id } = parse(endSession.params, request.params);
      if (!(await sessions.end(user.id, id))) throw new Refusal('not_found');
      return { deletedCount: 1 };
    });
    serve(scope, endOtherSessions, async (request) => {
      const { user, session } = await requests.requireSession(request);
      return { deletedCount: await sessions.endOthers(user.id, session.id) };
    });
  };
}
