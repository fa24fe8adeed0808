import { href, Link, useParams } from 'react-router';
import type { BrowserCheck } from '#contract/certification/browser-checks.ts';
import { type InspectionCase, readInspection } from '#contract/certification/inspection-queue.ts';
import { isInspected } from '#contract/listings/levels.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { LevelBadge } from '../../../formats/level-badge.tsx';
import { SellerBadge } from '../../../formats/seller-badge.tsx';
import { ChangeList } from '../../../inspections/change-list.tsx';
import { CheckResults } from '../../../inspections/check-results.tsx';
import { comparedWords, countWords, differenceWords } from '../../../inspections/check-words.ts';
import { ListingText } from '../../../inspections/listing-text.tsx';
import { MeasurementChanges, MeasurementReport } from '../../../inspections/measurement-report.tsx';
import { ProblemList } from '../../../inspections/problem-list.tsx';
import { laptopUrl } from '../../../laptops/laptop-url.ts';
import { SlipCheck } from '../../../laptops/slip-check.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { EnlargeablePhotos } from '../../../ui/enlargeable-photos.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { DecisionForm } from './decision-form.tsx';
import { Decisions, Section } from './decisions.tsx';

export const meta = privateMeta('Inspection');

function Listing({ laptop }: Pick<InspectionCase, 'laptop'>) {
  return (
    <Section id="listing" title="The listing">
      <p className="@container flex flex-wrap items-center gap-x-3 gap-y-2">
        <LevelBadge laptop={laptop} />
        <span className="figures font-semibold">{formatAmount(laptop.resale_price)}</span>
        <span className="text-muted">of {formatAmount(laptop.original_price)}</span>
        <span className="wrap-anywhere">{laptop.sellers_name}</span>
        <SellerBadge verified={laptop.sellerVerified} />
      </p>
      <ListingText
        {...laptop}
        fields={[
          ['Brand', laptop.category_Id],
          ['Use time', laptop.use_time],
        ]}
      />
    </Section>
  );
}

/** The tests that the seller made in the laptop's browser. */
function Tested({ check }: { check: BrowserCheck | null }) {
  return (
    <Section id="tested" title="Tests in its browser">
      {check === null ? (
        <p>The seller has made no tests in the browser. They are not required.</p>
      ) : (
        <>
          <p className="mb-4 text-muted">
            Made by the seller, <DateTime at={check.checkedAt} />: {countWords(check.results)}.
            {check.implausibilities.length === 0 && ` ${comparedWords(check.browser)}`}
          </p>
          {check.implausibilities.length > 0 && (
            <ProblemList
              title="The browser and the measurement clearly differ. Buyers do not see these tests."
              items={differenceWords(check)}
              className="mb-5"
            />
          )}
          <CheckResults results={check.results} />
        </>
      )}
    </Section>
  );
}

function Case({ shown }: { shown: InspectionCase }) {
  const { laptop, changes, measurement, earlier } = shown;
  return (
    <div className="flex flex-col gap-6">
      <p>
        <TextLink to={laptopUrl(laptop)}>{laptop.name}</TextLink>
      </p>
      {changes.length > 0 && (
        <Section id="changes" title="Changed since the latest approval">
          <ChangeList changes={changes} />
        </Section>
      )}
      <Listing laptop={laptop} />
      <Section id="photos" title="Photos">
        <EnlargeablePhotos
          title={`${laptop.name}, photographed by its seller`}
          urls={laptop.images}
          captions={laptop.captions}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,7.5rem),1fr))] gap-3 lg:grid-cols-3"
          sizes="(width >= 64rem) 16rem, 45vw"
          showCaptions
        />
      </Section>
      <Section id="slip" title="Slip with the code">
        <SlipCheck slip={shown.slip} />
      </Section>
      <Section id="measurement" title="What the laptop reported">
        <MeasurementReport measurement={measurement} />
      </Section>
      {earlier && (
        <Section id="remeasured" title="Changed since the measurement before">
          <MeasurementChanges measurement={measurement} earlier={earlier} />
        </Section>
      )}
      <Tested check={shown.check} />
      <Section id="decision" title="Your decision">
        {shown.canDecide ? (
          <DecisionForm key={`${shown.version} ${measurement._id}`} shown={shown} />
        ) : (
          <p>
            {isInspected(laptop.level)
              ? 'It is approved as it is. When its seller changes the listing, it waits for you again.'
              : 'There is nothing to decide now. It waits for you again when its seller changes the listing or measures it again.'}
          </p>
        )}
      </Section>
      <Decisions decisions={shown.decisions} />
    </div>
  );
}

/** One measured laptop on the admins' desk. */
export default function Inspection() {
  const { id = '' } = useParams();
  const query = useRead(readInspection, { params: { _id: id } });
  return (
    <>
      <PageHeading title="Inspection">
        <Link to={href('/dashboard/inspections')} className="underline underline-offset-4">
          Back to the list
        </Link>
      </PageHeading>
      <QueryView query={query} what="this laptop" back="inspections">
        {(shown) => <Case shown={shown} />}
      </QueryView>
    </>
  );
}
