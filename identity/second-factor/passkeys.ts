import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyBaseLogger } from 'fastify';
import { Refusal } from '../refusals.ts';
import type { SecondFactorStore, StoreFactor } from './store.ts';

/** The relying party: passkeys work on this domain only. */
export interface PasskeySite {
  readonly domain: string;
  /** Origins of the pages that may use passkeys. */
  readonly origins: readonly string[];
  /** The name of the shop at the moment. */
  readonly shopName: () => string;
}

/** COSE algorithm numbers of ES256, EdDSA and RS256. */
const algorithms = [-7, -8, -257];

/** Maximum number per account. */
const MAXIMUM_PASSKEYS = 20;

/** @param userId whose password was given before; null when the passkey signs in alone */
const signInPurpose = (userId: string | null) => (userId === null ? 'sign-in' : 'second-factor');

/** Loads the library of WebAuthn at its first use: it and its ASN.1 parsers take 5 MB of memory. */
const loadWebAuthn = () => import('@simplewebauthn/server');

/** Creates the registration of passkeys and the sign-in with them (WebAuthn). */
export function createPasskeys(store: SecondFactorStore, site: PasskeySite, log: FastifyBaseLogger) {
  const refused = () => new Refusal('passkey_refused');

  /** Turns any verification error into `passkey_refused` and logs its cause. */
  async function refuseOnError<Result>(work: Promise<Result>): Promise<Result> {
    return work.catch((error: unknown) => {
      if (error instanceof Refusal) throw error;
      log.info({ err: error }, 'A passkey could not be verified');
      throw refused();
    });
  }

  return {
    /** Creates the options for `navigator.credentials.create`. @throws Refusal */
    async registrationOptions(user: { id: string; email: string; name: string }) {
      const known = await store.listPasskeys(user.id);
      if (known.length >= MAXIMUM_PASSKEYS) {
        throw new Refusal('invalid_input', `An account can have ${MAXIMUM_PASSKEYS} passkeys at most.`);
      }
      const { generateRegistrationOptions } = await loadWebAuthn();
      const options = await generateRegistrationOptions({
        rpName: site.shopName(),
        rpID: site.domain,
        userName: user.email,
        userDisplayName: user.name === '' ? user.email : user.name,
        userID: new TextEncoder().encode(user.id),
        attestationType: 'none',
        supportedAlgorithmIDs: algorithms,
        excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
        // User verification makes the passkey two factors: the device, and its PIN or biometrics.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      await store.insertChallenge(options.challenge, 'add', user.id);
      return options;
    },

    /** Verifies a new passkey. @returns what stores it @throws Refusal `passkey_refused`, also when it is stored */
    async verifyRegistration(
      userId: string,
      name: string,
      response: RegistrationResponseJSON,
    ): Promise<StoreFactor> {
      const { verifyRegistrationResponse } = await loadWebAuthn();
      const { verified: isVerified, registrationInfo } = await refuseOnError(
        verifyRegistrationResponse({
          response,
          expectedChallenge: (challenge) => store.consumeChallenge(challenge, 'add', userId),
          expectedOrigin: [...site.origins],
          expectedRPID: site.domain,
          requireUserVerification: true,
          supportedAlgorithmIDs: algorithms,
        }),
      );
      if (!isVerified || registrationInfo === undefined) throw refused();
      const { id, publicKey, counter } = registrationInfo.credential;
      const passkey = {
        id,
        userId,
        publicKey: Buffer.from(publicKey),
        counter,
        transports: response.response.transports ?? [],
        name,
      };
      return async (client) => {
        if (!(await store.insertPasskey(client, passkey, MAXIMUM_PASSKEYS))) throw refused();
      };
    },

    /** Creates the options for `navigator.credentials.get`. @param userId null allows the passkeys of any user */
    async signInOptions(userId: string | null) {
      const known = userId === null ? [] : await store.listPasskeys(userId);
      const { generateAuthenticationOptions } = await loadWebAuthn();
      const options = await generateAuthenticationOptions({
        rpID: site.domain,
        userVerification: 'required',
        allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
      });
      await store.insertChallenge(options.challenge, signInPurpose(userId), userId);
      return options;
    },

    /**
     * Verifies the use of a passkey.
     * @param userId the expected owner; null for any
     * @returns the owner's user id
     * @throws Refusal `passkey_refused`
     */
    async verify(userId: string | null, response: AuthenticationResponseJSON): Promise<string> {
      const passkey = await store.findPasskey(response.id);
      if (passkey === null || (userId !== null && passkey.userId !== userId)) throw refused();
      const { verifyAuthenticationResponse } = await loadWebAuthn();
      const { verified: isVerified, authenticationInfo } = await refuseOnError(
        verifyAuthenticationResponse({
          response,
          expectedChallenge: (challenge) => store.consumeChallenge(challenge, signInPurpose(userId), userId),
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
      if (!isVerified || !(await store.recordPasskeyUse(passkey.id, authenticationInfo.newCounter)))
        throw refused();
      return passkey.userId;
    },
  };
}
