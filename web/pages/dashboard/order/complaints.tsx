import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type InspectionCase, readInspection } from '#contract/certification/inspection-queue.ts';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { Problem } from '#contract/platform/client.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import {
  type Complaint,
  complaintKinds,
  listComplaintsOfOrder,
  type Statement,
} from '#contract/sales/complaints.ts';
import { readMessagesOfComplaint } from '#contract/sales/message-reports.ts';
import type { Order } from '#contract/sales/orders.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { CheckResults } from '../../../inspections/check-results.tsx';
import { ListingText } from '../../../inspections/listing-text.tsx';
import { MeasurementChanges, MeasurementReport } from '../../../inspections/measurement-report.tsx';
import { SlipCheck } from '../../../laptops/slip-check.tsx';
import { RecordedMessages } from '../../../messages/recorded-messages.tsx';
import { orderAct } from '../../../orders/order-texts.ts';
import { leftOfPrice } from '../../../orders/part-of-price.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { queryKeyOf, useRead } from '../../../requests/reads.ts';
import { useRights } from '../../../session/roles.ts';
import { useApi } from '../../../session/session.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { Details } from '../../../ui/details.tsx';
import { EnlargeablePhotos } from '../../../ui/enlargeable-photos.tsx';
import { Section } from '../../../ui/section.tsx';
import { answersTo, useAnswer } from './answers.ts';
import { complaintHeading, StatementForm, useStatementDraft } from './statement-form.tsx';

/** For admins: what the two people of an order with a complaint wrote to each other. */
function WrittenMessages({ order: { _id } }: { order: Order }) {
  const [isRead, setIsRead] = useState(false);
  return (
    <Section
      title="What they wrote to each other"
      level="h3"
      heading="mb-2 text-lg"
      className="border-border border-t pt-5"
    >
      {isRead ? (
        <RecordedMessages label="Messages, newest first" endpoint={readMessagesOfComplaint} id={_id} />
      ) : (
        <>
          <p className="mb-3 text-muted">The audit trail records that you read it.</p>
          <SmallButton onClick={() => setIsRead(true)}>Read the messages</SmallButton>
        </>
      )}
    </Section>
  );
}

/** The name of the author of a statement or a review, as the caller reads it. */
export function authorOf(by: Statement['by'], { role, buyerName, sellerName }: Order): string {
  if (by === 'admin') return 'The shop';
  if (by === role) return 'You';
  return by === 'buyer' ? `${buyerName} (buyer)` : `${sellerName} (seller)`;
}

function StatementItem({ statement, order }: { statement: Statement; order: Order }) {
  const { at, by, move, text, amount, photos } = statement;
  const author = authorOf(by, order);
  return (
    <li
      className={`flex max-w-2xl flex-col gap-2 rounded-xl border border-border p-4 ${by === order.role ? 'bg-accent-soft' : 'bg-background'}`}
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="wrap-anywhere">
          <strong className="font-semibold">{author}</strong>{' '}
          {move === null ? 'wrote' : orderAct(move, order.role)}
          {amount !== undefined && `: ${formatAmount(amount)}`}
        </span>
        <span className="text-sm">
          <DateTime at={at} />
        </span>
      </p>
      {text !== '' && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{text}</p>}
      <EnlargeablePhotos title={author === 'You' ? 'Your photos' : `Photos by ${author}`} urls={photos} />
    </li>
  );
}

function Conversation({ complaint, order }: { complaint: Complaint; order: Order }) {
  return (
    <ol aria-label="What both sides said" className="flex flex-col gap-3">
      {complaint.statements.map((statement) => (
        <StatementItem key={statement._id} statement={statement} order={order} />
      ))}
    </ol>
  );
}

const legends = {
  buyer: 'What do you want to do?',
  seller: 'Your answer',
  admin: 'Your decision',
} as const;

interface ComplaintProps {
  order: Order;
  complaint: Complaint;
}

type Laptop = InspectionCase['laptop'];

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
function Evidence({ order }: { order: Order }) {
  const api = useApi();
  const evidence = useQuery({
    queryKey: [...queryKeyOf(readInspection, { params: { _id: order.productCode } }), 'of a sale'],
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
              <>
                <EnlargeablePhotos
                  title={`${laptop.name}, photographed by its seller`}
                  urls={laptop.images}
                  captions={laptop.captions}
                />
                <ListingText {...laptop} />
              </>
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

/** The latest complaint: both sides' words, and what the caller can do about it. */
function LatestComplaint({ order, complaint }: ComplaintProps) {
  const answer = useAnswer(order, complaint.offered);
  const draft = useStatementDraft(complaint._id, 'answer');
  const isFor = useRights();
  // An admin who may read it for the money decides nothing.
  const mayAct = order.role !== 'admin' || isFor('complaints');
  const choices = mayAct ? answersTo(order, complaint) : [];
  return (
    <Section
      title={`Complaint: ${complaintKinds[complaint.kind]}`}
      id={complaintHeading}
      takesFocus
      className="card flex flex-col gap-5"
    >
      <Conversation complaint={complaint} order={order} />
      {order.role === 'admin' && (
        <>
          <Evidence order={order} />
          {mayAct && <WrittenMessages order={order} />}
        </>
      )}
      <div className="border-border border-t pt-5 empty:hidden">
        <StatementForm
          legend={legends[order.role]}
          choices={choices}
          draft={draft}
          price={leftOfPrice(order)}
          send={answer}
        />
      </div>
      {!complaint.isOpen && <p className="text-muted">This complaint is settled.</p>}
    </Section>
  );
}

/** A complaint that was settled before the latest one. */
function EarlierComplaint({ order, complaint }: ComplaintProps) {
  return (
    <Details summary={`Earlier complaint: ${complaintKinds[complaint.kind]}`} className="card">
      <Conversation complaint={complaint} order={order} />
    </Details>
  );
}

/** The complaints about an order; nothing when there was none. */
export function Complaints({ order }: { order: Order }) {
  const isConcerned = order.timeline.some(({ event }) => event === 'complain');
  const complaints = useRead(listComplaintsOfOrder, { params: { _id: order._id } }, { enabled: isConcerned });
  if (!isConcerned) return null;
  return (
    <QueryView query={complaints} what="the complaint" skeleton="h-64 rounded-2xl">
      {([latest, ...earlier]) => (
        <>
          {latest !== undefined && <LatestComplaint key={latest._id} order={order} complaint={latest} />}
          {earlier.map((complaint) => (
            <EarlierComplaint key={complaint._id} order={order} complaint={complaint} />
          ))}
        </>
      )}
    </QueryView>
  );
}
