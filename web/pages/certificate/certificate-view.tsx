import { href } from 'react-router';
import {
  type Certificate,
  type CertificateVersion,
  type CertifiedContent,
  type Claim,
  ClaimSection,
  claimSections,
  claimWords,
  ISSUER_METADATA_PATH,
  type Revocation,
  revocationReasons,
} from '#contract/certification/certificates.ts';
import { levelNames } from '#contract/listings/level-names.ts';
import { LevelBadge } from '../../formats/level-badge.tsx';
import { Badge } from '../../ui/badge.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Day } from './day.tsx';
import { Versions } from './versions.tsx';

function Revoked({ revoked, isErased }: { revoked: Revocation; isErased: boolean }) {
  return (
    <div role="alert" className="mt-5 rounded-lg border-2 border-danger bg-danger-soft px-4 py-3 text-danger">
      <strong className="block font-semibold text-xl">This certificate was revoked</strong>
      <p>
        On <Day date={revoked.at} />. {revocationReasons[revoked.reason]}
        {!isErased && ' What it said before is shown below; do not rely on it.'}
      </p>
    </div>
  );
}

/** Whether a claim says that something is not known. */
const saysNothing = ({ state }: Pick<Claim, 'state'>) =>
  state === 'unknown' || state === 'skipped' || state === 'unchecked';

const toneOf = ({ state }: Claim) => {
  if (state === 'found' || state === 'failed') return 'font-semibold text-danger';
  return saysNothing({ state }) ? 'text-muted italic' : '';
};

function ClaimList({ section, claims }: { section: ClaimSection; claims: readonly Claim[] }) {
  if (claims.length === 0) return null;
  return (
    <section aria-labelledby={section} className="mb-5 break-inside-avoid print:mb-2">
      <h2 id={section} className="text-lg print:text-base">
        {claimSections[section]}
      </h2>
      {section === 'listing' && <p className="text-muted text-sm">In the seller’s words.</p>}
      {section === 'inspection' && <p className="text-muted text-sm">In the shop’s words.</p>}
      {section === 'locks' && (
        <p className="text-muted text-sm">A lock that was not found may still exist.</p>
      )}
      <dl className="mt-1 border-border border-t">
        {claims.map((claim) => (
          <div
            key={claim.name}
            className={`grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-x-3 border-border border-b py-1 print:py-0.5 ${section === 'inspection' ? 'print:grid-cols-[2fr_minmax(7rem,1fr)]' : 'print:grid-cols-[minmax(6rem,2fr)_3fr]'}`}
          >
            <dt className="text-muted">{claim.name}</dt>
            <dd className={`figures min-w-0 [overflow-wrap:anywhere] ${toneOf(claim)}`}>
              {claimWords(claim)}
              {claim.source !== null && (
                <span className="block text-muted text-sm print:inline"> from {claim.source}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Who says so, and when. */
function Evidence({ content }: { content: CertifiedContent }) {
  return (
    <ul className="mt-3 flex flex-col gap-1">
      <li>
        <strong className="font-semibold">Measured by the seller</strong> on <Day date={content.measuredAt} />
        : the laptop reported its parts with the shop’s script for {content.measuredWith}.
      </li>
      <li>
        {content.testedAt === null ? (
          <>
            <strong className="font-semibold">Not tested by the seller:</strong> no results of keyboard,
            screen, camera and sound were sent from the laptop’s browser.
          </>
        ) : (
          <>
            <strong className="font-semibold">Tested by the seller</strong> in the laptop’s browser on{' '}
            <Day date={content.testedAt} />.
          </>
        )}
      </li>
      <li>
        {content.inspectedAt === null ? (
          <>
            <strong className="font-semibold">Not inspected:</strong> the shop has not looked at it.
          </>
        ) : (
          <>
            <strong className="font-semibold">{levelNames[content.level]} by the shop</strong> on{' '}
            <Day date={content.inspectedAt} />
            {content.level === 'inspected_photos' && ': it has not had the laptop in hand'}.
          </>
        )}
      </li>
    </ul>
  );
}

function Unknown({ claims }: { claims: readonly Claim[] }) {
  const named = claims
    .filter((claim) => saysNothing(claim) && claim.section !== 'inspection' && claim.section !== 'tests')
    .map(({ name, section }) => (section === 'battery' ? `Battery: ${name}` : name));
  // Apart from the machine's parts, because both have graphics.
  const skipped = claims.flatMap(({ name, state }) => (state === 'skipped' ? [name] : []));
  // Their names are sentences.
  const unchecked = claims.filter(({ state }) => state === 'unchecked').length;
  const unknown = [
    ...named,
    ...(skipped.length === 0
      ? []
      : [
          `${skipped.length} skipped browser ${skipped.length === 1 ? 'test' : 'tests'} (${skipped.join(', ')})`,
        ]),
    ...(unchecked === 0
      ? []
      : [`${unchecked} ${unchecked === 1 ? 'point' : 'points'} that the shop has not checked`]),
  ];
  return (
    <section
      aria-labelledby="unknown"
      className="mt-6 rounded-lg bg-subtle px-4 py-3 print:mt-3 print:py-1.5"
    >
      <h2 id="unknown" className="text-lg print:text-base">
        What is unknown
      </h2>
      <p className="figures mt-1">
        {unknown.length === 0 ? 'Every value of the list above was read.' : `${unknown.join(', ')}.`} Nobody
        has looked inside the laptop. The person who controls it can make it report anything: compare it with
        this certificate when you meet.
      </p>
    </section>
  );
}

function HowToVerify({ id }: { id: string }) {
  const link = 'link inline-block py-0.5 font-semibold';
  return (
    <section aria-labelledby="verify" className="mt-6 print:hidden">
      <h2 id="verify" className="text-lg">
        Verify this certificate
      </h2>
      <p className="mt-1 max-w-prose">
        The shop has signed it. With both files you can check the signature without asking the shop, on any
        computer and at any time.
      </p>
      <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5">
        <li>
          <a href={`/api/certificates/${id}`} download={`certificate-${id}.json`} className={link}>
            Save the certificate
          </a>
        </li>
        <li>
          <a href={ISSUER_METADATA_PATH} download="certificate-keys.json" className={link}>
            Save the shop’s keys
          </a>{' '}
          (the page in the next step has them already)
        </li>
        <li>
          <a href={href('/verify')} className={link}>
            Open the page that verifies
          </a>{' '}
          and choose the file. The page then needs no network.
        </li>
      </ol>
    </section>
  );
}

interface CertificateViewProps {
  certificate: Certificate;
  versions: readonly CertificateVersion[];
  /** The number of all versions. */
  total: number;
  /** Whether the laptop is for sale now. */
  forSale: boolean;
  /** The absolute URL of the page. */
  url: string;
}

/** A certificate for reading and for printing on one sheet. */
export function CertificateView({ certificate, versions, total, forSale, url }: CertificateViewProps) {
  const { status, credential } = certificate;
  const subject = credential?.credentialSubject;
  const content = subject?.certificate;
  return (
    <article>
      {status.revoked !== null && <Revoked revoked={status.revoked} isErased={content === undefined} />}
      <header className="mt-5 flex flex-wrap items-start justify-between gap-x-8 gap-y-5 print:mt-2 print:flex-nowrap">
        <div className="min-w-0 flex-1 basis-80">
          <p className="text-muted">Certificate</p>
          <h1 className="text-3xl sm:text-4xl print:text-2xl">
            {subject?.name ?? 'What this certificate said is not shown any more'}
          </h1>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
            {status.revoked !== null ? (
              <Badge tone="bad">Revoked</Badge>
            ) : (
              content !== undefined && <LevelBadge laptop={{ level: content.level }} />
            )}
            <span className="text-muted">
              Version {status.latestVersion}, issued on <Day date={status.issuedAt} />
            </span>
          </p>
          {content !== undefined && <Evidence content={content} />}
          {forSale && (
            <p className="mt-3 print:hidden">
              <a
                href={href('/laptop/:id/:slug?', { id: certificate._id })}
                className="link inline-block py-0.5 font-semibold"
              >
                This laptop is for sale
              </a>
            </p>
          )}
        </div>
        <figure className="flex flex-col gap-1">
          <QrCode text={url} label="QR code of this page’s address" className="size-36 print:size-28" />
          <figcaption className="max-w-36 text-muted text-xs [overflow-wrap:anywhere]">{url}</figcaption>
        </figure>
      </header>
      {content !== undefined && (
        <>
          <div className="mt-6 gap-x-10 md:columns-2 print:mt-3 print:columns-2">
            {ClaimSection.options.map((section) => (
              <ClaimList
                key={section}
                section={section}
                claims={content.claims.filter((claim) => claim.section === section)}
              />
            ))}
          </div>
          <Unknown claims={content.claims} />
        </>
      )}
      {content !== undefined && <HowToVerify id={certificate._id} />}
      <Versions versions={versions} total={total} />
      <p className="mt-3 hidden text-muted text-sm print:block">
        Printed certificates can be out of date: the QR code leads to the present one. Verify it at{' '}
        {new URL(href('/verify'), url).href}.
      </p>
    </article>
  );
}
