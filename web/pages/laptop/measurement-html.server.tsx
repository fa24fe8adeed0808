import { renderToStaticMarkup } from 'react-dom/server';
import type { BrowserCheck } from '#contract/certification/browser-checks.ts';
import { type Claim, claimWords } from '#contract/certification/certificates.ts';
import { type BatteryPoint, type Measurement, measuredSystems } from '#contract/certification/inspections.ts';
import type { Level } from '#contract/listings/level-names.ts';
import { longUtcDay } from '../../formats/utc-dates.ts';
import { CheckResults } from '../../inspections/check-results.tsx';
import { countWords } from '../../inspections/check-words.ts';
import { lockFacts, machineFacts } from '../../inspections/machine-report.tsx';
import { ShopPhotoLinks } from '../../laptops/shop-photo-links.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { BatteryHistory, Part } from './battery-history.server.tsx';

function ShopPhotos({ urls }: { urls: readonly string[] }) {
  return (
    <Part title="Photos by the shop" intro="Taken by the shop, which had this laptop in hand.">
      <ShopPhotoLinks urls={urls} sizes="(width >= 64rem) 20rem, 45vw" />
    </Part>
  );
}

/** The tests that the seller made in the laptop's browser. */
function Tests({ check: { checkedAt, results } }: { check: BrowserCheck }) {
  return (
    <Part
      title="Tests in its browser"
      intro={`${countWords(results)}, made by the seller on ${longUtcDay(checkedAt)}.`}
    >
      <CheckResults results={results} />
    </Part>
  );
}

const inspectionSentences: Readonly<Record<Level, string>> = {
  word: 'The shop has not inspected it. ',
  measured: 'The shop has not inspected it. ',
  inspected_photos: 'The shop has inspected it from the seller’s photos, and has not had it in hand. ',
  inspected_hand: 'The shop has had it in hand and inspected it. ',
};

const claimClasses = ({ state }: Claim) =>
  state === 'failed' ? 'font-semibold text-danger' : state === 'unchecked' ? 'text-muted italic' : undefined;

/** What the shop looked at, and what it did not. */
function Inspected({ claims }: { claims: readonly Claim[] }) {
  return (
    <Part title="Inspection by the shop">
      <FactList
        facts={claims.map((claim) => ({
          name: claim.name,
          value: <span className={claimClasses(claim)}>{claimWords(claim)}</span>,
        }))}
        columns="@3xs:grid-cols-[2fr_minmax(7rem,1fr)]"
      />
    </Part>
  );
}

interface MeasuredLaptop {
  laptopId: string;
  level: Level;
  measurement: Measurement;
  /** What the shop looked at; empty unless it is inspected. */
  claims: readonly Claim[];
  /** The photos of its inspection. */
  shopPhotos: readonly string[];
  check: BrowserCheck | null;
  /** The battery in each measurement, oldest first. A single one has no course. */
  points: readonly BatteryPoint[];
}

/**
 * The link to a laptop's certificate, all that it reported about itself, folded, its locks, its tests, the shop's photos and the
 * battery over time, as HTML, so that browsers need no code for it.
 */
export function measurementHtml(laptop: MeasuredLaptop): string {
  const { laptopId, level, measurement, claims, shopPhotos, check, points } = laptop;
  return renderToStaticMarkup(
    <>
      <p className="mb-3 max-w-prose text-muted">
        {`The laptop reported these values about itself on ${longUtcDay(measurement.measuredAt)}, with the shop’s script for ${measuredSystems[measurement.measuredWith]}, which its seller ran. `}
        {inspectionSentences[level]}
        “Unknown” means that the value could not be read.{' '}
        <a href={`/c/${laptopId}`} className="link font-semibold">
          Certificate
        </a>
      </p>
      <details>
        <summary className="min-h-8 py-1 font-semibold text-lg">All that the laptop reported</summary>
        <div className="mt-1">
          <FactList facts={machineFacts(measurement.machine)} />
        </div>
      </details>
      <Part title="Locks" intro="A lock that was not found may still exist.">
        <FactList facts={lockFacts(measurement.machine)} />
      </Part>
      {check !== null && <Tests check={check} />}
      {claims.length > 0 && <Inspected claims={claims} />}
      {shopPhotos.length > 0 && <ShopPhotos urls={shopPhotos} />}
      {points.length > 1 && <BatteryHistory points={points} />}
    </>,
  );
}
