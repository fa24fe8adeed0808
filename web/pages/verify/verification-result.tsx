import type { Finding, Verification } from '#contract/certification/certificate-verification.ts';
import { type Claim, ClaimSection, claimSections, claimWords } from '#contract/certification/certificates.ts';
import { levelNames } from '#contract/listings/level-names.ts';
import { Badge } from '../../ui/badge.tsx';
import { Section } from '../../ui/section.tsx';

function Mark({ holds }: Pick<Finding, 'holds'>) {
  if (holds === null) return <Badge>Cannot be known</Badge>;
  return holds ? <Badge tone="good">Holds</Badge> : <Badge tone="bad">Fails</Badge>;
}

function Claims({ claims }: { claims: readonly Claim[] }) {
  return ClaimSection.options.map((section) => {
    const own = claims.filter((claim) => claim.section === section);
    return own.length === 0 ? null : (
      <div key={section}>
        <h3 className="mt-4 font-sans font-semibold text-base tracking-normal">{claimSections[section]}</h3>
        <dl className="@container border-border border-t">
          {own.map((claim) => (
            <div
              key={claim.name}
              className="grid gap-x-4 @3xs:grid-cols-[minmax(7rem,1fr)_2.5fr] border-border border-b py-1"
            >
              <dt className="text-muted">{claim.name}</dt>
              <dd className="figures min-w-0 [overflow-wrap:anywhere]">{claimWords(claim)}</dd>
            </div>
          ))}
        </dl>
      </div>
    );
  });
}

/** What holds of a certificate, and what it says if its signature is genuine. */
export function VerificationResult({ verification }: { verification: Verification }) {
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
              <Mark holds={finding.holds} />
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{finding.text}</span>
          </li>
        ))}
      </ul>
      {subject !== undefined && (
        <>
          <h2 className="mt-8 text-2xl [overflow-wrap:anywhere]">{subject.name}</h2>
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
