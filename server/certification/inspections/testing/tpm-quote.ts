import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** The key of a TPM of software. */
export const newTpmKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const sized = (content: Uint8Array) => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([length, content]);
};

/** A quote over a code, as a TPM with this key makes it. @param header of the signed statement, hexadecimal */
export function sampleQuote(privateKey: KeyObject, code: string, header = 'ff5443478018') {
  const { x = '', y = '' } = privateKey.export({ format: 'jwk' });
  const point = [x, y].map((coordinate) => sized(Buffer.from(coordinate, 'base64url')));
  const nonce = createHash('sha256').update(code).digest();
  const attestation = Buffer.concat([
    Buffer.from(header, 'hex'),
    ...[sized(Buffer.alloc(34)), sized(nonce), Buffer.alloc(70)],
  ]);
  const signed = sign('sha256', attestation, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    key: sized(Buffer.concat([Buffer.from('0023000b00050072000000100018000b00030010', 'hex'), ...point])),
    attestation,
    signature: Buffer.concat([
      Buffer.from('0018000b', 'hex'),
      ...[sized(signed.subarray(0, 32)), sized(signed.subarray(32))],
    ]),
  };
}
