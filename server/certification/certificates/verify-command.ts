import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { type Verification, verifyCertificate } from '#contract/certification/certificate-verification.ts';
import {
  Certificate,
  CertificateStatus,
  claimSections,
  claimWords,
  ISSUER_METADATA_PATH,
  IssuerMetadata,
  MAXIMUM_CERTIFICATE_BYTES,
  readCertificate,
  readCertificateStatus,
} from '#contract/certification/certificates.ts';
import { levelNames } from '#contract/listings/level-names.ts';
import { operatorCommand, operatorPath } from '#server/platform/operator-command.ts';

// The command `verify-certificate`. It needs neither the shop's database nor its configuration.

const variants = [
  ['FILE --keys KEYS', 'without a network, with the shop’s key set in a file'],
  ['FILE --shop ORIGIN', 'asks the shop for its keys and for the status'],
  ['URL', 'reads a certificate’s page, such as https://shop.example/c/ID'],
] as const;
const usage = `Usage:
${variants.map(([args, what]) => `  ${operatorCommand('verify-certificate', args)}   ${what}`).join('\n')}

The key set of a shop is at ${ISSUER_METADATA_PATH}. Save it while you trust the connection to the shop.`;

/** A sentence about why nothing could be verified. */
class Unverifiable extends Error {}

const TIMEOUT_MS = 10_000;

/** Reads at most {@link MAXIMUM_CERTIFICATE_BYTES}. @param source for the sentence about a failure */
async function readLimited(chunks: AsyncIterable<Uint8Array>, source: string): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAXIMUM_CERTIFICATE_BYTES) {
      throw new Unverifiable(`${source} is too large to be a certificate or a key set.`);
    }
    read.push(chunk);
  }
  return Buffer.concat(read).toString('utf8');
}

async function readFileText(path: string): Promise<string> {
  try {
    return await readLimited(createReadStream(operatorPath(path)), path);
  } catch (error) {
    if (error instanceof Unverifiable) throw error;
    throw new Unverifiable(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Parses JSON of another party. @throws Unverifiable when it has another shape */
function parseAs<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  source: string,
): z.infer<Schema> {
  try {
    return z.parse(schema, JSON.parse(text));
  } catch {
    throw new Unverifiable(`${source} is not what a shop publishes there.`);
  }
}

async function download<Schema extends z.ZodMiniType>(schema: Schema, url: URL): Promise<z.infer<Schema>> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    if (!response.ok || response.body === null) {
      throw new Unverifiable(`${url} answered with the status ${response.status}.`);
    }
    return parseAs(schema, await readLimited(response.body, url.href), url.href);
  } catch (error) {
    if (error instanceof Unverifiable) throw error;
    throw new Unverifiable(
      `${url} cannot be reached. Without a network, verify a saved certificate with --keys.`,
    );
  }
}

const callUrl = (origin: string, { path }: { path: string }, id: string) =>
  new URL(`/api${path.replace(':_id', encodeURIComponent(id))}`, origin);

/** The shop's keys. @throws Unverifiable when they are those of another origin */
async function downloadKeys(origin: string): Promise<IssuerMetadata> {
  const keys = await download(IssuerMetadata, new URL(ISSUER_METADATA_PATH, origin));
  if (keys.issuer !== origin) throw new Unverifiable(`${origin} publishes the keys of ${keys.issuer}.`);
  return keys;
}

/** Verifies with the shop's own words: its keys, and the status of the certificate. */
async function verifyOnline(file: string, origin: string): Promise<Verification> {
  const keys = await downloadKeys(origin);
  const offline = await verifyCertificate(file, keys, null, new Date());
  if (offline.credential === null) return offline;
  const { certificateId } = offline.credential.credentialSubject;
  const status = await download(CertificateStatus, callUrl(origin, readCertificateStatus, certificateId));
  return verifyCertificate(file, keys, status, new Date());
}

async function verifyUrl(url: URL): Promise<Verification> {
  const [, id] = /^\/c\/([0-9a-f-]{36})$/.exec(url.pathname) ?? [];
  if (id === undefined) {
    throw new Unverifiable(`${url} is not the address of a certificate, such as https://shop.example/c/ID.`);
  }
  const { jws } = await download(Certificate, callUrl(url.origin, readCertificate, id));
  if (jws === null) throw new Unverifiable('The certificate was revoked, and its content was erased.');
  return verifyOnline(jws, url.origin);
}

/** @returns null when the command line is not understood */
async function verify(
  subject: string,
  options: { keys?: string; shop?: string },
): Promise<Verification | null> {
  if (URL.canParse(subject) && /^https?:$/.test(new URL(subject).protocol)) {
    return options.keys === undefined && options.shop === undefined ? verifyUrl(new URL(subject)) : null;
  }
  if (options.keys !== undefined && options.shop === undefined) {
    const keys = parseAs(IssuerMetadata, await readFileText(options.keys), options.keys);
    return verifyCertificate(await readFileText(subject), keys, null, new Date());
  }
  if (options.shop === undefined || options.keys !== undefined || !URL.canParse(options.shop)) return null;
  return verifyOnline(await readFileText(subject), new URL(options.shop).origin);
}

/** Removes control characters, so that a certificate cannot rewrite the terminal. */
const printable = (text: string) => text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD');

const marks = new Map([
  [true, 'holds  '],
  [false, 'FAILS  '],
  [null, 'unknown'],
]);

function toLines({ isGenuine, findings, credential }: Verification): string[] {
  const subject = credential?.credentialSubject;
  return [
    ...findings.map((finding) => `${marks.get(finding.passed)}  ${finding.subject}: ${finding.text}`),
    '',
    isGenuine ? 'The certificate is genuine.' : 'Do not rely on this certificate.',
    ...(subject === undefined
      ? []
      : [
          '',
          `${subject.name}, version ${subject.version}, level: ${levelNames[subject.certificate.level]}`,
          `Measured on ${subject.certificate.measuredAt.slice(0, 10)} by its seller, with the shop’s script for ${subject.certificate.measuredWith}.`,
          subject.certificate.inspectedAt === null
            ? 'Not inspected by the shop.'
            : `${levelNames[subject.certificate.level]} by the shop on ${subject.certificate.inspectedAt.slice(0, 10)}.`,
          ...subject.certificate.claims.map(
            (claim) => `  ${claimSections[claim.section]}, ${claim.name}: ${claimWords(claim)}`,
          ),
        ]),
  ];
}

/** Runs the command. @returns its exit code: 0 for a genuine certificate, 1 for another one, 2 for a wrong command line */
async function run(): Promise<number> {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { keys: { type: 'string' }, shop: { type: 'string' } },
    });
    const [subject, ...rest] = positionals;
    const verification = subject === undefined || rest.length > 0 ? null : await verify(subject, values);
    if (verification === null) {
      console.error(usage);
      return 2;
    }
    for (const line of toLines(verification)) process.stdout.write(`${printable(line)}\n`);
    return verification.isGenuine ? 0 : 1;
  } catch (error) {
    if (error instanceof Unverifiable) {
      console.error(printable(error.message));
      return 1;
    }
    // Thrown by parseArgs for an unknown option.
    if (error instanceof TypeError) {
      console.error(usage);
      return 2;
    }
    throw error;
  }
}

// A reader such as `head` may close the pipe before the end; the exit code still says what was found.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await run();
