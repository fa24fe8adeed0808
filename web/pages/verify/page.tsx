import { type FormEvent, useState } from 'react';
import {
  type Finding,
  type Verification,
  verifyCertificate,
} from '#contract/certification/certificate-verification.ts';
import {
  type Claim,
  ClaimSection,
  claimSections,
  claimWords,
  ISSUER_METADATA_PATH,
  IssuerMetadata,
  MAXIMUM_CERTIFICATE_BYTES,
  readCertificateKeys,
} from '#contract/certification/certificates.ts';
import { levelNames } from '#contract/listings/level-names.ts';
import { publicMeta, siteOf } from '../../metadata/page-meta.ts';
import { serverContext } from '../../server-context.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { NeedsScripts } from '../../ui/needs-scripts.tsx';
import { Section } from '../../ui/section.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import type { Route } from './+types/page.ts';

function Mark({ passed }: Pick<Finding, 'passed'>) {
  if (passed === null) return <Badge>Cannot be known</Badge>;
  return passed ? <Badge tone="good">Holds</Badge> : <Badge tone="bad">Fails</Badge>;
}

function Claims({ claims }: { claims: readonly Claim[] }) {
  return ClaimSection.options.map((section) => {
    const own = claims.filter((claim) => claim.section === section);
    return own.length === 0 ? null : (
      <div key={section}>
        <h3 className="mt-4 font-sans font-semibold text-base tracking-normal">{claimSections[section]}</h3>
        <FactList facts={own.map((claim) => ({ name: claim.name, value: claimWords(claim) }))} />
      </div>
    );
  });
}

/** What holds of a certificate, and what it says if its signature is genuine. */
function VerificationResult({ verification }: { verification: Verification }) {
  const { isGenuine, findings, credential } = verification;
  const subject = credential?.credentialSubject;
  return (
    <Section
      title={isGenuine ? 'The certificate is genuine' : 'Do not rely on this certificate'}
      heading={`text-2xl ${isGenuine ? '' : 'text-danger'}`}
      className="max-w-2xl"
    >
      <ul className="mt-3 flex flex-col gap-2">
        {findings.map((finding) => (
          <li key={finding.subject} className="grid gap-x-4 sm:grid-cols-[11rem_1fr]">
            <span className="flex flex-wrap items-center gap-2 self-start">
              <strong className="font-semibold">{finding.subject}</strong>
              <Mark passed={finding.passed} />
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{finding.text}</span>
          </li>
        ))}
      </ul>
      {subject !== undefined && (
        <>
          <h2 className="mt-8 text-2xl">{subject.name}</h2>
          <p className="text-muted">
            Version {subject.version}, {levelNames[subject.certificate.level].toLowerCase()} on{' '}
            {(subject.certificate.inspectedAt ?? subject.certificate.measuredAt).slice(0, 10)}
          </p>
          <Claims claims={subject.certificate.claims} />
        </>
      )}
    </Section>
  );
}

export async function loader({ context }: Route.LoaderArgs) {
  const { client, origin } = context.get(serverContext);
  return { keys: await client.call(readCertificateKeys, {}), origin };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  publicMeta({
    title: 'Verify a certificate',
    description: 'Checks the signature of a laptop’s certificate in your browser, without asking the shop.',
    path: '/verify',
    site: siteOf(matches),
  });

/** Why a file cannot be used, a sentence. */
class UnusableFile extends Error {}

/** @returns the text of a chosen file; null when none was chosen */
async function readChosen(entry: FormDataEntryValue | null): Promise<string | null> {
  if (!(entry instanceof File) || entry.size === 0) return null;
  if (entry.size > MAXIMUM_CERTIFICATE_BYTES) {
    throw new UnusableFile(`${entry.name} is too large. Certificates and key sets have a few kilobytes.`);
  }
  return entry.text();
}

async function readKeys(
  entry: FormDataEntryValue | null,
  published: IssuerMetadata,
): Promise<IssuerMetadata> {
  const text = await readChosen(entry);
  if (text === null) return published;
  try {
    return IssuerMetadata.parse(JSON.parse(text));
  } catch {
    throw new UnusableFile('The chosen key set is not the one that a shop publishes. Save it again there.');
  }
}

async function verifyForm(form: FormData, published: IssuerMetadata): Promise<Verification> {
  // Browsers give it to pages from https and from this machine only.
  if (globalThis.crypto?.subtle === undefined) {
    throw new UnusableFile('This browser verifies signatures only on pages that were opened with https.');
  }
  const chosen = await readChosen(form.get('certificate'));
  const pasted = `${form.get('text') ?? ''}`;
  if (chosen !== null && pasted.trim() !== '') {
    throw new UnusableFile('There are a file and a text. Remove one of them, to be sure which is verified.');
  }
  const file = chosen ?? pasted;
  if (file.trim() === '') throw new UnusableFile('Choose the certificate’s file, or paste its text.');
  const keys = await readKeys(form.get('keys'), published);
  try {
    return await verifyCertificate(file, keys, null, new Date());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') {
      throw new UnusableFile(
        'This browser does not know Ed25519 signatures. Use a current one, or the command line of docs/inspection.md.',
      );
    }
    throw error;
  }
}

const fileInput =
  'block w-full max-w-lg rounded-lg border border-border-strong bg-surface p-2 file:mr-3 file:rounded-md file:border-0 file:bg-subtle file:px-3 file:py-1.5 file:text-foreground';

/** Verifies certificates in the browser. After it was opened it makes no request. */
export default function VerifyPage({ loaderData: { keys } }: Route.ComponentProps) {
  const [result, setResult] = useState<Verification | string | null>(null);
  const hydrated = useHydrated();
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    try {
      setResult(await verifyForm(new FormData(event.currentTarget), keys));
    } catch (error) {
      setResult(
        error instanceof UnusableFile ? error.message : 'The file could not be read. Nothing was verified.',
      );
    }
  }
  return (
    <div className="page-width py-10">
      <h1 className="text-4xl">Verify a certificate</h1>
      <NeedsScripts className="mt-4 text-lg" />
      <div className="mt-4 flex max-w-prose flex-col gap-3 text-lg">
        <p>
          Your browser checks the signature by itself. This page has the keys of {keys.issuer} in it, so you
          can disconnect from the network now. Nothing that you choose here is sent anywhere.
        </p>
        <p className="text-muted">
          It cannot tell offline whether a certificate was revoked since, or replaced by a newer one. For
          that, open the certificate’s address, which is under its QR code.
        </p>
      </div>
      <form onSubmit={submit} className="mt-8 flex flex-col items-start gap-5">
        <label className="flex w-full flex-col gap-1">
          <span className="font-semibold">The certificate’s file</span>
          <input type="file" name="certificate" accept=".json,.jwt,.txt" className={fileInput} />
        </label>
        <label className="flex w-full max-w-lg flex-col gap-1">
          <span className="font-semibold">or its text</span>
          <textarea
            name="text"
            rows={4}
            spellCheck={false}
            className="figures rounded-lg border border-border-strong bg-surface p-3 text-sm"
          />
        </label>
        <details className="w-full">
          <summary className="cursor-pointer py-1 font-semibold">Use keys that you saved before</summary>
          <p className="mt-1 max-w-prose text-muted">
            If you do not trust this page, or the certificate is from another shop: choose the file that the
            shop publishes at {ISSUER_METADATA_PATH}.
          </p>
          <label className="mt-2 flex flex-col gap-1">
            <span className="font-semibold">Key set</span>
            <input type="file" name="keys" accept=".json" className={fileInput} />
          </label>
        </details>
        {/* Before hydration the browser itself would submit the form, and send the certificate's text in the URL. */}
        <Button type="submit" disabled={!hydrated}>
          Verify
        </Button>
      </form>
      <div role="status" className="mt-8">
        {typeof result === 'string' && <p className="text-danger">{result}</p>}
        {result !== null && typeof result !== 'string' && <VerificationResult verification={result} />}
      </div>
    </div>
  );
}
