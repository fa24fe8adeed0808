import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

/** Encodes the head of a CBOR item. */
function encodeHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

/** Encodes the CBOR types that WebAuthn uses (RFC 8949). */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === 'string')
    return Buffer.concat([encodeHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeHead(2, value.length), value]);
  const entries = [...value].map(([key, entry]) => Buffer.concat([encodeCbor(key), encodeCbor(entry)]));
  return Buffer.concat([encodeHead(5, entries.length), ...entries]);
}

/** Flags of the authenticator data (WebAuthn, section 6.1). */
const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const ATTESTED_CREDENTIAL_DATA = 64;

/** Values that replace the correct ones, for responses that the provider must refuse. */
interface Overrides {
  origin?: string;
  domain?: string;
  challenge?: string;
  counter?: number;
  verified?: boolean;
}

/** Creates a software authenticator with one passkey, as a browser and a security key provide it. */
export function createAuthenticator(origin: string) {
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;

  const encode = (bytes: Buffer) => bytes.toString('base64url');
  const clientData = (type: string, challenge: string, overrides: Overrides) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: overrides.challenge ?? challenge,
        origin: overrides.origin ?? origin,
        crossOrigin: false,
      }),
    );
  function authenticatorDataOf(flags: number, overrides: Overrides): Buffer {
    const counterBytes = Buffer.alloc(4);
    counterBytes.writeUInt32BE(overrides.counter ?? counter);
    const domain = overrides.domain ?? new URL(origin).hostname;
    const actualFlags = overrides.verified === false ? flags & ~USER_VERIFIED : flags;
    return Buffer.concat([
      createHash('sha256').update(domain).digest(),
      Buffer.from([actualFlags]),
      counterBytes,
    ]);
  }
  function coseKey(key: KeyObject): Buffer {
    const { x = '', y = '' } = key.export({ format: 'jwk' });
    const coordinate = (text: string) => Buffer.from(text, 'base64url');
    return encodeCbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate(x)],
        [-3, coordinate(y)],
      ]),
    );
  }
  const credential = { id: encode(id), rawId: encode(id), type: 'public-key', clientExtensionResults: {} };

  return {
    id: credential.id,
    /** Returns the response of `navigator.credentials.create`. */
    create(options: { challenge: string }, overrides: Overrides = {}) {
      const attestedData = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(publicKey),
      ]);
      const authData = Buffer.concat([
        authenticatorDataOf(USER_PRESENT | USER_VERIFIED | ATTESTED_CREDENTIAL_DATA, overrides),
        attestedData,
      ]);
      const attestationObject = encodeCbor(
        new Map<string, Cbor>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return {
        ...credential,
        response: {
          clientDataJSON: encode(clientData('webauthn.create', options.challenge, overrides)),
          attestationObject: encode(attestationObject),
          transports: ['internal'],
        },
      };
    },
    /** Returns the response of `navigator.credentials.get`. */
    get(options: { challenge: string }, overrides: Overrides = {}) {
      counter += 1;
      const client = clientData('webauthn.get', options.challenge, overrides);
      const authenticatorData = authenticatorDataOf(USER_PRESENT | USER_VERIFIED, overrides);
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(client).digest()]);
      return {
        ...credential,
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(authenticatorData),
          signature: encode(createSign('sha256').update(signed).sign(privateKey)),
        },
      };
    },
  };
}
