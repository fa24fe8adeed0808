import { useQuery } from '@tanstack/react-query';
import { type InspectionCase, readInspection } from '#contract/certification/inspection-desk.ts';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { Problem } from '#contract/platform/client.ts';
import type { Order } from '#contract/sales/orders.ts';
import { CheckResults } from '../../../inspections/check-results.tsx';
import { ListingText } from '../../../inspections/listing-text.tsx';
import { MeasurementChanges, MeasurementReport } from '../../../inspections/measurement-report.tsx';
import { SlipCheck } from '../../../laptops/slip-check.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { keyOf } from '../../../requests/reads.ts';
import { useApi } from '../../../session/session.tsx';
import { EnlargeablePhotos } from '../../../ui/enlargeable-photos.tsx';
import { Section } from '../../../ui/section.tsx';

type Laptop = InspectionCase['laptop'];

function Listing({ laptop: { description, condition, images, captions, name } }: { laptop: Laptop }) {
  return (
    <>
      <EnlargeablePhotos title={`${name}, photographed by its seller`} urls={images} captions={captions} />
      <ListingText condition={condition} description={description} />
    </>
  );
}

function Measured({ inspected: { measurement, earlier, check, slip } }: { inspected: InspectionCase }) {
  return (
    <>
      <h4 className="mt-6 mb-3 font-semibold">What the laptop reported</h4>
      <MeasurementReport measurement={measurement} />
      {earlier !== null && (
        <>
          <h4 className="mt-6 mb-3 font-semibold">Changed since the measurement before</h4>
          <MeasurementChanges measurement={measurement} earlier={earlier} />
        </>
      )}
      {check !== null && (
        <>
          <h4 className="mt-6 mb-3 font-semibold">Tests in its browser</h4>
          <CheckResults results={check.results} />
        </>
      )}
      <h4 className="mt-6 mb-3 font-semibold">Slip with the code</h4>
      <SlipCheck slip={slip} />
    </>
  );
}

/** For admins: the laptop as it was listed and measured before the sale, beside what both sides say. */
export function Evidence({ order }: { order: Order }) {
  const api = useApi();
  const evidence = useQuery({
    queryKey: [...keyOf(readInspection, { params: { _id: order.productCode } }), 'of a sale'],
    queryFn: async ({ signal }): Promise<{ laptop: Laptop | null; inspected: InspectionCase | null }> => {
      const input = { params: { _id: order.productCode }, signal };
      if (!order.isMeasured) {
        const laptop = await api.call(readLaptop, input).catch((error: unknown) => {
          // After a refund the laptop is the seller's, and not offered any more.
          if (error instanceof Problem && error.code === 'no_longer_for_sale') return null;
          throw error;
        });
        return { laptop, inspected: null };
      }
      const inspected = await api.call(readInspection, input);
      return { laptop: inspected.laptop, inspected };
    },
  });
  return (
    <Section
      title="The laptop as it was sold"
      level="h3"
      heading="mb-4 text-lg"
      className="border-border border-t pt-5"
    >
      <QueryView query={evidence} what="the laptop" skeleton="h-64">
        {({ laptop, inspected }) => (
          <>
            {laptop === null ? (
              <p className="text-muted">The sale was undone, and the listing is not shown any more.</p>
            ) : (
              <Listing laptop={laptop} />
            )}
            {inspected === null ? (
              <p className="mt-6 text-muted">It was not measured before the sale.</p>
            ) : (
              <Measured inspected={inspected} />
            )}
          </>
        )}
      </QueryView>
    </Section>
  );
}
