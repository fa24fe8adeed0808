import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

/** What WebAuthn needs of CBOR (RFC 8949). */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].map(([key, entry]) => Buffer.concat([cbor(key), cbor(entry)]));
  return Buffer.concat([head(5, entries.length), ...entries]);
}

/** Bits of the authenticator data: somebody is there, was verified by the device, and a new key follows. */
const PRESENT = 1;
const VERIFIED = 4;
const ATTESTED = 64;

/** What a test can make an authenticator do wrong. */
interface Twist {
  origin?: string;
  domain?: string;
  challenge?: string;
  counter?: number;
  verified?: boolean;
}

/** A device that makes and uses one passkey, as a browser and a security key do together. */
export function createAuthenticator(origin: string) {
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;

  const encode = (bytes: Buffer) => bytes.toString('base64url');
  const clientData = (type: string, challenge: string, twist: Twist) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? origin,
        crossOrigin: false,
      }),
    );
  function data(flags: number, twist: Twist): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(twist.counter ?? counter);
    const domain = twist.domain ?? new URL(origin).hostname;
    const shown = twist.verified === false ? flags & ~VERIFIED : flags;
    return Buffer.concat([createHash('sha256').update(domain).digest(), Buffer.from([shown]), count]);
  }
  function coseKey(key: KeyObject): Buffer {
    const { x = '', y = '' } = key.export({ format: 'jwk' });
    const coordinate = (text: string) => Buffer.from(text, 'base64url');
    return cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate(x)],
        [-3, coordinate(y)],
      ]),
    );
  }
  const named = { id: encode(id), rawId: encode(id), type: 'public-key', clientExtensionResults: {} };

  return {
    id: named.id,
    /** Answers `navigator.credentials.create`. */
    create(options: { challenge: string }, twist: Twist = {}) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)]);
      const authData = Buffer.concat([data(PRESENT | VERIFIED | ATTESTED, twist), attested]);
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return {
        ...named,
        response: {
          clientDataJSON: encode(clientData('webauthn.create', options.challenge, twist)),
          attestationObject: encode(attestationObject),
          transports: ['internal'],
        },
      };
    },
    /** Answers `navigator.credentials.get`. */
    get(options: { challenge: string }, twist: Twist = {}) {
      counter += 1;
      const client = clientData('webauthn.get', options.challenge, twist);
      const authenticatorData = data(PRESENT | VERIFIED, twist);
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(client).digest()]);
      return {
        ...named,
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(authenticatorData),
          signature: encode(createSign('sha256').update(signed).sign(privateKey)),
        },
      };
    },
  };
}
