import { execFile } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { createMeasurementCode, readOwnMeasurement } from '#contract/certification/inspections.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { writeTree } from './testing/linux-tree.ts';
import { sendReport } from './testing/measure.ts';
import { newTpmKey, sampleQuote } from './testing/tpm-quote.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

/** The commands of tpm2-tools: each copies what a TPM would have written. `tpm2_quote` also takes the nonce to sign. */
function tpmTools({ key, attestation, signature }: ReturnType<typeof sampleQuote>): Record<string, string> {
  const write = (bytes: Uint8Array, file: string) =>
    `printf '${[...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}' > ${file}\n`;
  const nonce = Buffer.from(attestation.subarray(44, 76)).toString('hex');
  return {
    tpm2_createprimary: '',
    tpm2_flushcontext: '',
    tpm2_readpublic: write(key, 'key'),
    tpm2_quote: `case "$*" in *" -q ${nonce} "*) ;; *) exit 1 ;; esac\n${write(attestation, 'quote')}${write(signature, 'signature')}`,
  };
}

/** Runs the script for Linux on a machine with a TPM. @param commands shell scripts by name, in place of the system's commands */
async function createReport(code: string, commands: Readonly<Record<string, string>>): Promise<string> {
  const folder = await writeTree({ '/dev/tpmrm0': '' });
  try {
    await mkdir(join(folder, 'commands'));
    for (const [name, content] of Object.entries(commands)) {
      await writeFile(join(folder, 'commands', name), `#!/bin/sh\n${content}`, { mode: 0o755 });
    }
    const script = join(import.meta.dirname, '../../../inspect/linux.sh');
    await promisify(execFile)('sh', [script, shop.origin, code, '--file'], {
      cwd: folder,
      env: { PATH: `${join(folder, 'commands')}:${process.env.PATH}`, INSPECT_ROOT: folder },
    });
    return await readFile(join(folder, 'laptop-report.txt'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function newCode(laptopId: string): Promise<string> {
  return (await seller.client.call(createMeasurementCode, { params: { _id: laptopId } })).code;
}

type Change = (report: string, otherCode: string) => string;

/**
 * Measures a laptop with a TPM.
 * @param change changes the report; it gets the valid code of another laptop
 * @returns its id and what the shop answered
 */
async function measure(key: KeyObject, change: Change = (report) => report) {
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  const report = await createReport(code, tpmTools(sampleQuote(key, code)));
  const otherCode = await newCode(await shop.laptop(seller));
  return { laptopId, answer: await sendReport(shop.origin, change(report, otherCode)) };
}

async function stored(laptopId: string) {
  const { rows } = await shop.connection.pool.query<{ row: string; part_hashes: string[] }>(
    'select measurements::text as row, part_hashes from measurements where laptop_id = $1',
    [laptopId],
  );
  return rows;
}

test('a TPM that signed the code is recognized in another listing, and its key is not stored', {
  tags: 'long',
}, async () => {
  const key = newTpmKey();
  const first = await measure(key);
  const { measurement } = await seller.client.call(readOwnMeasurement, { params: { _id: first.laptopId } });
  expect(measurement?.machine.tpm).toBe('quoted');

  const [row] = await stored(first.laptopId);
  const [again] = await stored((await measure(key)).laptopId);
  const [other] = await stored((await measure(newTpmKey())).laptopId);
  expect(row?.part_hashes).toHaveLength(1);
  expect(again?.part_hashes).toEqual(row?.part_hashes);
  expect(other?.part_hashes).not.toEqual(row?.part_hashes);
  const { x = '' } = key.export({ format: 'jwk' });
  expect(row?.row).not.toContain(Buffer.from(x, 'base64url').toString('hex'));
});

test.each<[string, Change]>([
  ['a quote of another report', (report, otherCode) => report.replace(/^code .*$/m, `code ${otherCode}`)],
  ['half a quote', (report) => report.replace(/^== tpm\/signature\n(?:\t.*\n)+/m, '')],
])('a report with %s is refused, and nothing is kept', async (_name, change) => {
  const { laptopId, answer } = await measure(newTpmKey(), change);
  expect(answer).toMatch(/security chip \(TPM\) .* Nothing was kept\. Please run the script again\./);
  expect(await stored(laptopId)).toEqual([]);
});

test('when the TPM does not sign, it is unknown', async () => {
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  await sendReport(shop.origin, await createReport(code, { tpm2_quote: 'exit 1' }));
  const { measurement } = await seller.client.call(readOwnMeasurement, { params: { _id: laptopId } });
  expect(measurement?.machine.tpm).toBe('unknown');
});
