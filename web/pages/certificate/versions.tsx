import {
  type CertificateVersion,
  claimSections,
  revocationReasons,
} from '#contract/certification/certificates.ts';
import { levelNames } from '#contract/listings/level-names.ts';
import { Section } from '../../ui/section.tsx';
import { Day } from './day.tsx';

function Version({ version }: { version: CertificateVersion }) {
  const { revoked, changes, level } = version;
  return (
    <li id={`version-${version.version}`} className="border-border border-t py-3">
      <p>
        <strong className="font-semibold">Version {version.version}</strong>, <Day date={version.issuedAt} />
        {level !== null && `: ${levelNames[level]}`}
        {revoked !== null && (
          <span className="text-danger">
            . Revoked on <Day date={revoked.at} />: {revocationReasons[revoked.reason]}
          </span>
        )}
      </p>
      {changes.length > 0 && (
        <ul className="mt-1 flex flex-col gap-0.5">
          {changes.map(({ section, name, before, after }) => (
            <li key={`${section} ${name}`} className="[overflow-wrap:anywhere]">
              <span className="text-muted">
                {claimSections[section]}, {name}:
              </span>{' '}
              <del className="figures text-muted">{before ?? 'not stated'}</del>{' '}
              <span aria-hidden="true">→</span>{' '}
              <ins className="figures no-underline">{after ?? 'no longer stated'}</ins>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The versions of a certificate with their differences, newest first. */
export function Versions({ versions, total }: { versions: readonly CertificateVersion[]; total: number }) {
  return (
    <Section title="Versions" heading="text-lg" className="mt-6 print:hidden">
      <p className="mt-1 mb-2 max-w-prose text-muted">
        A new version is issued whenever what the certificate says has changed.
        {total > versions.length && ` The latest ${versions.length} of ${total} are shown.`}
      </p>
      <ol>
        {versions.map((version) => (
          <Version key={version.version} version={version} />
        ))}
      </ol>
    </Section>
  );
}
