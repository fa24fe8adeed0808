import { useState } from 'react';
import { deadlineDays, MAXIMUM_PARCELS, RETURN_PARCEL_MS } from '#contract/money/order-states.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { answerAsBuyer } from '#contract/sales/complaints.ts';
import { type Label, listOrderLabels } from '#contract/sales/labels.ts';
import { confirmOrder, type Order, type Parcel } from '#contract/sales/orders.ts';
import {
  changeAddress,
  decideDelivered,
  knownCarriers,
  type parcelReports,
  receiveParcel,
  reportParcel,
  shipParcel,
  trackingPage,
} from '#contract/sales/shipping.ts';
import { AddressFields, fromAddress, shownAt, toAddress } from '../../../bookings/delivery-fields.tsx';
import { AddressLines } from '../../../formats/address-lines.tsx';
import { Day } from '../../../formats/date-time.tsx';
import type { FieldOf } from '../../../forms/fields-of.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { ConfirmedWrite } from '../../../forms/write-button.tsx';
import { orderParts } from '../../../orders/next-step.ts';
import { leftOfPrice } from '../../../orders/part-of-price.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { type ResponseOf, useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { useSettings } from '../../../session/session.tsx';
import { Details } from '../../../ui/details.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { Section } from '../../../ui/section.tsx';
import { isPrintable, Labels, pollWhileBuying, Tracking } from './labels.tsx';
import { Packing } from './packing.tsx';
import { type Choice, StatementForm, useStatementDraft } from './statement-form.tsx';

const emptyParcel = { carrier: '', trackingNumber: '' };

/** Carrier and tracking number, as the sender types them. */
function ParcelFields({ field }: { field: FieldOf<typeof emptyParcel> }) {
  return (
    <div className="grid max-w-xl grid-cols-1 gap-4 sm:grid-cols-2">
      <Field label="Carrier" {...field('carrier')}>
        <TextInput autoComplete="off" list="carriers" required />
      </Field>
      <datalist id="carriers">
        {knownCarriers.map((carrier) => (
          <option key={carrier} value={carrier} />
        ))}
      </datalist>
      <Field label="Tracking number" {...field('trackingNumber')} hint="From the carrier’s receipt or label">
        <TextInput
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="figures"
          required
        />
      </Field>
    </div>
  );
}

interface SendProps {
  order: Order;
  /** The sender's label of the shop that is not used yet. */
  label: Label | undefined;
}

const fromLabel = (label: Label | undefined): typeof emptyParcel =>
  label?.trackingNumber === undefined
    ? emptyParcel
    : { carrier: label.carrier ?? '', trackingNumber: label.trackingNumber };

const beforeScan =
  'You can say that the carrier has the parcel before its first scan. With another number the label of the shop is given back.';

/** The seller's form for the parcel that the carrier has. */
function SendParcel({ order: { _id }, label }: SendProps) {
  const form = useWriteForm(shipParcel, {
    defaultValues: fromLabel(label),
    input: (body: typeof emptyParcel) => ({ params: { _id }, body }),
    done: 'The buyer is told that the parcel is on its way.',
  });
  return (
    <RequestForm form={form} submit="The carrier has it" busy="Saving" buttonClass="self-start">
      <p className="max-w-prose">
        {label === undefined
          ? 'You choose the carrier, pay for the parcel and bear a lost one, so insure it to the price.'
          : beforeScan}
      </p>
      <ParcelFields field={form.field} />
    </RequestForm>
  );
}

/** The buyer's form for a parcel in which the laptop returns. */
function SendBack({ order, label }: SendProps) {
  const form = useWriteForm(answerAsBuyer, {
    defaultValues: fromLabel(label),
    input: (parcel: typeof emptyParcel) => ({
      params: { _id: order._id },
      body: { move: 'report_return', parcel },
    }),
    done: 'The seller is told that the laptop is on its way back.',
  });
  return (
    <RequestForm form={form} submit="The carrier has it" busy="Saving" buttonClass="self-start">
      <p className="max-w-prose">
        {label !== undefined && `${beforeScan} `}
        {/* Without an address, that is said above. */}
        {label === undefined &&
          order.news === undefined &&
          'If you have no email with the address, ask the seller in Messages. '}
        The seller has {RETURN_PARCEL_MS / DAY_MS} days to confirm the return; without an answer you get{' '}
        {formatAmount(leftOfPrice(order))} back.
      </p>
      <ParcelFields field={form.field} />
    </RequestForm>
  );
}

/** The buyer's correction of the address, until the laptop is sent. */
function CorrectAddress({ order: { _id, shipTo } }: { order: Order }) {
  const [isOpen, setIsOpen] = useState(false);
  const { shippingCountries } = useSettings();
  // Without an address, which was erased.
  const country = shipTo?.address.country ?? shippingCountries[0] ?? '';
  const form = useWriteForm(changeAddress, {
    defaultValues: fromAddress(shipTo?.address),
    input: (values: ReturnType<typeof fromAddress>) => ({
      params: { _id },
      body: toAddress(values, country),
    }),
    rename: shownAt,
    done: 'The address is corrected, and the seller is told.',
    onClose: () => setIsOpen(false),
  });
  return (
    <Details summary="Correct the address" open={isOpen} onOpenChange={setIsOpen}>
      <RequestForm
        form={form}
        submit="Save the address"
        busy="Saving"
        buttonClass="self-start"
        className="flex max-w-xl flex-col gap-5"
      >
        <AddressFields field={form.field} country={country} />
      </RequestForm>
    </Details>
  );
}

/** The buyer says that the parcel is there. */
const Receive = ({ order: { _id, productName, news } }: { order: Order }) => (
  <ConfirmedWrite
    endpoint={receiveParcel}
    input={{ params: { _id } }}
    label="It has arrived"
    {...((news === 'return_to_sender' || news === 'failure') && { variant: 'secondary' })}
    className="self-start"
    title="You have the parcel?"
    message={`You have ${deadlineDays('delivered')} days to look at ${productName}; the shop holds your money meanwhile. If the parcel is damaged, photograph it before you open it.`}
    yes="Yes, I have it"
    busy="Saving"
    done={`Thank you. You have ${deadlineDays('delivered')} days to look at the laptop.`}
  />
);

/** The buyer releases the money before the time to look is over. */
const AllIsWell = ({ order: { _id, productName } }: { order: Order }) => (
  <ConfirmedWrite
    endpoint={confirmOrder}
    input={{ params: { _id } }}
    label="All is well"
    variant="secondary"
    className="self-start"
    title="Release the money?"
    message={`The seller gets the money for ${productName}. Do this only when you have looked at it and are content.`}
    yes="Yes, release it"
    busy="Saving"
    done="Thank you. The money is released to the seller."
  />
);

type Report = (typeof parcelReports)[number];
const proof = { label: 'What the carrier reports', required: 'Say what the carrier reports, in a sentence' };

const reports = (price: string): Choice<Report>[] => [
  {
    name: 'prove_delivery',
    label: 'It was delivered',
    consequence: `The buyer has ${deadlineDays('delivered')} days to complain. Without a complaint the money is yours then.`,
    words: proof,
    submit: 'Report the delivery',
    done: 'The buyer is told.',
  },
  {
    name: 'send_again',
    label: 'It came back, and I send it again',
    consequence:
      'It was refused, not fetched, or the address was wrong. The buyer can correct the address. It can be sent twice in all.',
    words: proof,
    submit: 'Send it again',
    done: 'The buyer is told. Please send it again, and enter the new tracking number.',
  },
  {
    name: 'take_back',
    label: 'It came back, and I give the price back',
    consequence: `The buyer gets ${price} back at once, and the laptop is yours again. This cannot be undone.`,
    words: proof,
    submit: 'Give the price back',
    confirm: 'Yes, I have it back',
    done: 'The buyer gets the price back.',
  },
];

const decisionOf = (): Choice<'decide_delivered'> => ({
  name: 'decide_delivered',
  label: 'It was delivered',
  consequence: `The buyer has ${deadlineDays('delivered')} days to complain; then the money is the seller’s. If the parcel is lost, the price goes back by itself at the deadline, or at once when you refund the order.`,
  words: { label: 'The proof', required: 'Tell both why, in a sentence' },
  submit: 'Decide that it was delivered',
  confirm: 'Yes, decide it',
  done: 'It is decided. Both are told.',
});

/** What the seller or an admin says of a parcel that is under way. */
function ReportParcel({ order }: { order: Order }) {
  const report = useWrite(reportParcel, { onError: () => undefined });
  const decide = useWrite(decideDelivered, { onError: () => undefined });
  const draft = useStatementDraft(order._id, 'parcel');
  const [isOpen, setIsOpen] = useState(order.role === 'seller' && order.news === 'return_to_sender');
  const params = { _id: order._id };
  const isAdmin = order.role === 'admin';
  const sent = order.parcels.filter(({ way }) => way === 'out').length;
  const possible = reports(formatAmount(leftOfPrice(order))).filter(
    ({ name }) => order.moves.includes(name) && (name !== 'send_again' || sent < MAXIMUM_PARCELS),
  );
  const form = isAdmin ? (
    <StatementForm
      legend="Your decision"
      choices={order.moves.includes('decide_delivered') ? [decisionOf()] : []}
      draft={draft}
      price={order.price}
      send={(_name, { text }) => decide.mutateAsync({ params, body: { text } })}
    />
  ) : (
    <StatementForm
      legend="What happened?"
      choices={possible}
      draft={draft}
      price={order.price}
      send={(move, { text }) => report.mutateAsync({ params, body: { move, text } })}
    />
  );
  return (
    <Details
      summary={isAdmin ? 'Decide about the parcel' : 'The carrier reports it as delivered, or it came back'}
      open={isOpen}
      onOpenChange={setIsOpen}
    >
      {form}
    </Details>
  );
}

/** What became of the insurance of a lost or damaged parcel. */
function insuranceText(
  { isAsked, paid, returnable }: NonNullable<Parcel['insurance']>,
  isOwn: boolean,
): string {
  const whose = isOwn ? ', which is yours' : ' for the seller';
  if (isAsked) return `The shop claims its insurance${whose}.`;
  if (returnable !== undefined) {
    const when = returnable === 'found' ? 'now that the parcel was found' : 'if the parcel is found';
    return `Its insurance paid ${formatAmount(paid)}, and can take that back ${when}.`;
  }
  return paid === 0 ? 'Its insurance pays nothing.' : `Its insurance paid ${formatAmount(paid)}${whose}.`;
}

function ParcelItem({ parcel, order }: { parcel: Parcel; order: Order }) {
  const page = trackingPage(parcel);
  const { carrier, tracking, formerAddress, insurance, report } = parcel;
  return (
    <li className="wrap-anywhere">
      {parcel.way === 'out' ? 'Sent' : 'Sent back'} <Day at={parcel.at} /> with {carrier}:{' '}
      {page === null ? (
        <span className="figures font-semibold">{parcel.trackingNumber}</span>
      ) : (
        <a href={page} target="_blank" rel="noopener noreferrer" className="link figures">
          {parcel.trackingNumber}
          <span className="sr-only">, tracked by {carrier} in a new tab</span>
        </a>
      )}
      {tracking !== undefined && (
        <span className="block text-sm">
          {carrier} reports: <Tracking state={tracking.state} at={tracking.at} />
        </span>
      )}
      {formerAddress !== undefined && (
        <span className="block text-sm">
          Its label leads to the address before the correction
          {formerAddress === '' ? '' : ` (${formerAddress})`}, so a delivery there does not count.
        </span>
      )}
      {report !== undefined && (
        <span className="block max-w-prose whitespace-pre-line text-sm">“{report}”</span>
      )}
      {insurance !== undefined && (
        <span className="block text-sm">{insuranceText(insurance, order.role === 'seller')}</span>
      )}
    </li>
  );
}

interface ParcelActionsProps {
  order: Order;
  labels: ResponseOf<typeof listOrderLabels>;
}

/** What the caller can do about the parcel now. */
function ParcelActions({ order, labels }: ParcelActionsProps) {
  const { role, state, moves } = order;
  if (role === 'buyer' && state === 'to_ship') return <CorrectAddress order={order} />;
  if (moves.includes('ship') || moves.includes('report_return')) {
    const label = labels.labels.find(isPrintable);
    const Form = role === 'seller' ? SendParcel : SendBack;
    const form = <Form key={label?._id} order={order} label={label} />;
    // Without carriers it is the only way.
    return labels.offered === null ? (
      form
    ) : (
      <Details
        summary={
          label === undefined
            ? `Send it ${role === 'seller' ? '' : 'back '}with a label of your own`
            : 'The carrier has it already, or another label was used'
        }
      >
        {form}
      </Details>
    );
  }
  if (moves.includes('receive')) return <Receive order={order} />;
  if (role === 'buyer' && state === 'delivered') return <AllIsWell order={order} />;
  return state === 'shipped' ? <ReportParcel order={order} /> : null;
}

/** The parcel of an order: where it is sent, its tracking numbers, and what the caller can do about it. */
export function Shipping({ order }: { order: Order }) {
  const { shipTo, parcels } = order;
  const read = useRead(
    listOrderLabels,
    { params: { _id: order._id } },
    { refetchInterval: ({ state }) => pollWhileBuying(state.data) },
  );
  return (
    <Section title="The parcel" id={orderParts.parcel} className="card flex flex-col gap-4">
      {shipTo === undefined ? (
        <p className="text-muted">The address is not shown any more.</p>
      ) : (
        <address className="not-italic wrap-anywhere" dir="auto">
          <span className="block text-muted text-sm">Delivery address</span>
          <AddressLines lines={shipTo.lines} />
        </address>
      )}
      {parcels.length > 0 && (
        <ul aria-label="Parcels" className="flex flex-col gap-2">
          {parcels.map((parcel) => (
            <ParcelItem key={parcel.trackingNumber} parcel={parcel} order={order} />
          ))}
        </ul>
      )}
      <Packing order={order} />
      <QueryView query={read} what="the labels" skeleton="h-11">
        {(labels) => (
          <>
            <Labels order={order} labels={labels} />
            <ParcelActions order={order} labels={labels} />
          </>
        )}
      </QueryView>
    </Section>
  );
}
