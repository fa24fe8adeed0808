import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { FastifyBaseLogger } from 'fastify';
import { Refusal } from '../refusals.ts';
import type { FactorStore } from './store.ts';

/** Where passkeys are made and used: they work on this domain alone. */
export interface PasskeySite {
  readonly domain: string;
  /** Origins of the pages that may use them. */
  readonly origins: readonly string[];
}

/** ES256, EdDSA and RS256, by their numbers in COSE: what today's devices make. */
const algorithms = [-7, -8, -257];

/** How many one person may have: enough for every device, and an end. */
const MAXIMUM_PASSKEYS = 20;

/** Making passkeys and proving them. */
export type Passkeys = ReturnType<typeof createPasskeys>;

export function createPasskeys(store: FactorStore, site: PasskeySite, log: FastifyBaseLogger) {
  const refused = () => new Refusal('passkey_refused');

  /** Whatever the library finds wrong is one refusal to the person and a line in the log. */
  async function verified<Result>(work: Promise<Result>): Promise<Result> {
    return work.catch((error: unknown) => {
      if (error instanceof Refusal) throw error;
      log.info({ err: error }, 'A passkey did not pass');
      throw refused();
    });
  }

  return {
    /** What a browser needs to make a passkey. @throws Refusal */
    async creation(user: { id: string; email: string; name: string }) {
      const known = await store.passkeysOf(user.id);
      if (known.length >= MAXIMUM_PASSKEYS) {
        throw new Refusal('invalid_input', `An account can have ${MAXIMUM_PASSKEYS} passkeys at most.`);
      }
      const options = await generateRegistrationOptions({
        rpName: 'Coomercio',
        rpID: site.domain,
        userName: user.email,
        userDisplayName: user.name === '' ? user.email : user.name,
        userID: new TextEncoder().encode(user.id),
        attestationType: 'none',
        supportedAlgorithmIDs: algorithms,
        excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
        // With the person verified by the device, a passkey is two factors in one.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      await store.keepChallenge(options.challenge, 'add', user.id);
      return options;
    },

    /** Keeps a passkey that a browser has made. @throws Refusal `passkey_refused` */
    async add(
      { userId, sessionId }: { userId: string; sessionId: string },
      name: string,
      response: RegistrationResponseJSON,
    ): Promise<void> {
      const { verified: passed, registrationInfo } = await verified(
        verifyRegistrationResponse({
          response,
          expectedChallenge: (challenge) => store.takeChallenge(challenge, 'add', userId),
          expectedOrigin: [...site.origins],
          expectedRPID: site.domain,
          requireUserVerification: true,
          supportedAlgorithmIDs: algorithms,
        }),
      );
      if (!passed || registrationInfo === undefined) throw refused();
      const { id, publicKey, counter } = registrationInfo.credential;
      const kept = await store.keepPasskey(
        {
          id,
          userId,
          publicKey: Buffer.from(publicKey),
          counter,
          transports: response.response.transports ?? [],
          name,
        },
        sessionId,
      );
      if (!kept) throw refused();
    },

    /** What a browser needs to use a passkey: any of this site's, or one of a user's. */
    async request(userId: string | null) {
      const known = userId === null ? [] : await store.passkeysOf(userId);
      const options = await generateAuthenticationOptions({
        rpID: site.domain,
        userVerification: 'required',
        allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
      });
      await store.keepChallenge(options.challenge, 'sign-in', userId);
      return options;
    },

    /**
     * Whose passkey a browser has used.
     * @param userId whose it must be; null for anybody's
     * @throws Refusal `passkey_refused`
     */
    async prove(userId: string | null, response: AuthenticationResponseJSON): Promise<string> {
      const passkey = await store.passkey(response.id);
      if (passkey === null || (userId !== null && passkey.userId !== userId)) throw refused();
      const { verified: passed, authenticationInfo } = await verified(
        verifyAuthenticationResponse({
          response,
          expectedChallenge: (challenge) => store.takeChallenge(challenge, 'sign-in', userId),
          expectedOrigin: [...site.origins],
          expectedRPID: site.domain,
          requireUserVerification: true,
          credential: {
            id: passkey.id,
            publicKey: new Uint8Array(passkey.publicKey),
            counter: passkey.counter,
          },
        }),
      );
      if (!passed || !(await store.notePasskey(passkey.id, authenticationInfo.newCounter))) throw refused();
      return passkey.userId;
    },
  };
}
