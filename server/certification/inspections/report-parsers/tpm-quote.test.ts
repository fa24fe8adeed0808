import { expect, test } from 'vitest';
import { newTpmKey, sampleQuote } from '../testing/tpm-quote.ts';
import { type TpmQuote, verifyTpmQuote } from './tpm-quote.ts';

const CODE = '7K2M-9QXD-4TWA';

/** Made by inspect/linux.sh with tpm2-tools 5.4 and swtpm 0.7.1. */
const recorded = {
  key: Buffer.from(
    '00580023000b00050072000000100018000b000300100020abe799961a8a5b426e44d7ec6ba89b2311ae592c' +
      'd628ed90e9b6a4ecff6a35b90020db7d1b9b70ffb146cf533637f8c0c9020a1568f492c6cd863681ead6a289' +
      'cc03',
    'hex',
  ),
  attestation: Buffer.from(
    'ff54434780180022000b4b16ce242e0852da9820435e624b150f7fe2626a5ae08b63401eab976e04d7310020' +
      '697e98d80f135d0b06671cd9bc2f296ca83cbdd2065a0269d28f9939a75216ee00000000000004c000000002' +
      '0000000000201910230016363600000001000b03010000002066687aadf862bd776c8fc18b8e9f8e20089714' +
      '856ee233b3902a591d0d5f2925',
    'hex',
  ),
  signature: Buffer.from(
    '0018000b0020f699b32a1872be06a0a38a2476129ba2e97cd049a791a46cf82a150cfdfe8f5e0020e0903c63' +
      'e94035feaa2866a7b5c9e4ea7787b454145572e74ee99d568746a3cf',
    'hex',
  ),
};

test('a recorded quote of a TPM verifies over its own code only', () => {
  expect(verifyTpmQuote(recorded, CODE)).toMatch(/^abe79996[0-9a-f]{120}$/);
  expect(verifyTpmQuote(recorded, '7K2M-9QXD-4TWB')).toBeNull();
});

const key = newTpmKey();
const quote = sampleQuote(key, CODE);

test('the same key is recognized in quotes over different codes', () => {
  const first = verifyTpmQuote(quote, CODE);
  expect(first).toMatch(/^[0-9a-f]{128}$/);
  expect(verifyTpmQuote(sampleQuote(key, 'other'), 'other')).toBe(first);
  expect(verifyTpmQuote(sampleQuote(newTpmKey(), CODE), CODE)).not.toBe(first);
});

/** A copy with one byte changed. */
function changed(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

const other = sampleQuote(newTpmKey(), CODE);
test.each<[string, TpmQuote]>([
  ['a code that was replaced in it', { ...sampleQuote(key, 'x'), attestation: quote.attestation }],
  ['another key', { ...quote, key: other.key }],
  ['another signature', { ...quote, signature: other.signature }],
  ['another magic number', sampleQuote(key, CODE, 'ff5443488018')],
  ['another kind of statement', sampleQuote(key, CODE, 'ff5443478017')],
  ['a key that may sign anything', { ...quote, key: changed(quote.key, 7) }],
  ['a key on no curve', { ...quote, key: changed(quote.key, 30) }],
  ['a changed clock', { ...quote, attestation: changed(quote.attestation, 80) }],
  ['more behind the signature', { ...quote, signature: Buffer.concat([quote.signature, Buffer.alloc(1)]) }],
])('%s does not verify', (_name, forged) => {
  expect(verifyTpmQuote(forged, CODE)).toBeNull();
});

test('no part verifies when it is cut off anywhere', () => {
  for (const part of ['key', 'attestation', 'signature'] as const) {
    for (let length = 0; length < quote[part].length; length += 1) {
      expect(verifyTpmQuote({ ...quote, [part]: quote[part].subarray(0, length) }, CODE)).toBeNull();
    }
  }
});
