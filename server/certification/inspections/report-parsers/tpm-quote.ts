// Structures of TPM 2.0 (TCG Library Part 2): all integers are big-endian, and a TPM2B is a length of two bytes and its content.

import { createHash, createPublicKey, verify } from 'node:crypto';

const COORDINATE_BYTES = 32;

/**
 * How the public area of the script's key begins: an ECC key, names by SHA-256, no policy,
 * ECDSA with SHA-256 on P-256. Its attributes (fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, restricted, sign)
 * say that it never leaves the TPM and signs only what the TPM itself has composed.
 */
const KEY_TEMPLATE = Buffer.from('0023000b00050072000000100018000b00030010', 'hex');

/** TPM_GENERATED_VALUE and TPM_ST_ATTEST_QUOTE. */
const QUOTE_HEADER = Buffer.from('ff5443478018', 'hex');

/** TPM_ALG_ECDSA with TPM_ALG_SHA256. */
const SIGNATURE_HEADER = Buffer.from('0018000b', 'hex');

/** What a TPM reported: its key's TPM2B_PUBLIC, a TPMS_ATTEST, and its TPMT_SIGNATURE. */
export interface TpmQuote {
  key: Uint8Array;
  attestation: Uint8Array;
  signature: Uint8Array;
}

/**
 * Splits consecutive TPM2Bs behind a fixed beginning.
 * @param count how many of them
 * @returns null for a structure with fewer, or with another beginning
 */
function splitStructure(
  bytes: Buffer,
  header: Buffer,
  count: number,
): { parts: Buffer[]; end: number } | null {
  if (!bytes.subarray(0, header.length).equals(header)) return null;
  const parts: Buffer[] = [];
  let offset = header.length;
  while (parts.length < count) {
    if (offset + 2 > bytes.length) return null;
    const end = offset + 2 + bytes.readUInt16BE(offset);
    if (end > bytes.length) return null;
    parts.push(bytes.subarray(offset + 2, end));
    offset = end;
  }
  return { parts, end: offset };
}

/** Two whole numbers of at most 32 bytes, with leading zeros; null when there is anything else. */
function readPair(bytes: Buffer, header: Buffer): [Buffer, Buffer] | null {
  const split = splitStructure(bytes, header, 2);
  const [first, second] = split?.parts ?? [];
  if (split?.end !== bytes.length || first === undefined || second === undefined) return null;
  if (first.length > COORDINATE_BYTES || second.length > COORDINATE_BYTES) return null;
  const padded = (part: Buffer) => Buffer.concat([Buffer.alloc(COORDINATE_BYTES - part.length), part]);
  return [padded(first), padded(second)];
}

/** Whether a P-256 key signed a message. @param signature r and s */
function isSignedBy([x, y]: [Buffer, Buffer], message: Buffer, signature: [Buffer, Buffer]): boolean {
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat(signature));
  } catch {
    // The point is not on the curve.
    return false;
  }
}

/**
 * Verifies a quote: the report's key signed, in the form in which a TPM signs its own statements, the SHA-256 of the code.
 * It does not show that the key is in a TPM, because that needs the maker's certificate.
 * @param code as the report has it
 * @returns the key, hexadecimal; null when the quote does not verify
 */
export function verifyTpmQuote({ key, attestation, signature }: TpmQuote, code: string): string | null {
  // Without the length of the whole, which the length of the bytes repeats.
  const point = readPair(Buffer.from(key).subarray(2), KEY_TEMPLATE);
  const signed = readPair(Buffer.from(signature), SIGNATURE_HEADER);
  const message = Buffer.from(attestation);
  // The key's qualified name and the nonce. What follows them is the TPM's clock, version and registers.
  const nonce = splitStructure(message, QUOTE_HEADER, 2)?.parts[1];
  if (point === null || signed === null || nonce === undefined) return null;
  if (!nonce.equals(createHash('sha256').update(code).digest())) return null;
  return isSignedBy(point, message, signed) ? Buffer.concat(point).toString('hex') : null;
}
