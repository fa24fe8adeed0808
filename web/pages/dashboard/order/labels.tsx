import { useState } from 'react';
import { formatAmount } from '#contract/platform/money.ts';
import {
  buyLabel,
  type Label,
  type LabelRate,
  type listOrderLabels,
  quoteLabel,
  setReturnAddress,
  type TrackingState,
  voidLabel,
} from '#contract/sales/labels.ts';
import type { Order } from '#contract/sales/orders.ts';
import { AddressFields, fromAddress, shownAt, toAddress } from '../../../bookings/delivery-fields.tsx';
import { DateTime, Day } from '../../../formats/date-time.tsx';
import { Choices } from '../../../forms/choices.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { WriteButton } from '../../../forms/write-button.tsx';
import { PrintLabels } from '../../../orders/print-labels.tsx';
import type { ResponseOf } from '../../../requests/reads.ts';
import { isOutdated, useWrite } from '../../../requests/use-write.ts';
import { useSettings } from '../../../session/session.tsx';
import { Button, SecondaryButton } from '../../../ui/button.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { moveFocusTo } from '../../../ui/route-announcer.tsx';
import { Section } from '../../../ui/section.tsx';

type Labels = ResponseOf<typeof listOrderLabels>;
type Quote = ResponseOf<typeof quoteLabel>;

/** A label that the caller can print now. */
export const isPrintable = ({ isOwn, state }: Label): boolean => isOwn && state === 'bought';

/** The caller's label that is bought or being bought, if there is one. */
export const presentLabel = ({ labels }: Labels): Label | undefined =>
  labels.findLast((label) => isPrintable(label) || (label.isOwn && label.state === 'buying'));

const POLL_INTERVAL_MS = 3_000;

/** The refetch interval of labels: short while the carrier is asked for one, also for a page without the live stream. */
export const pollWhileBuying = (labels: Labels | undefined): number | false =>
  labels?.labels.some(({ state }) => state === 'buying') ? POLL_INTERVAL_MS : false;

const trackingTexts: Record<TrackingState, string> = {
  unknown: 'The carrier has not seen the parcel yet',
  pre_transit: 'The carrier expects the parcel',
  in_transit: 'In transit',
  out_for_delivery: 'Out for delivery',
  available_for_pickup: 'Waits at a pickup point',
  delivered: 'Delivered',
  return_to_sender: 'On its way back to the sender',
  failure: 'The carrier cannot deliver it, or has lost it',
  cancelled: 'Cancelled',
  error: 'The carrier does not know the parcel',
};

/** What the carrier last reported of a parcel. @param at since when, ISO 8601; null before the first report */
export function Tracking({ state, at }: { state: TrackingState; at: string | null }) {
  return (
    <span>
      {trackingTexts[state]}
      {at !== null && (
        <>
          , <DateTime at={at} />
        </>
      )}
    </span>
  );
}

const LABEL_PART = 'label';

/** Scrolls to the heading of the label: what replaces a form can be so much shorter that the window shows what follows. */
const showLabelPart = () => moveFocusTo(`#${LABEL_PART}`);

const serviceText = ({ carrier, service, days }: LabelRate) =>
  [`${carrier} ${service}`, ...(days === null ? [] : [days === 1 ? '1 day' : `${days} days`])].join(', ');

const rateText = (rate: LabelRate) => `${formatAmount(rate.price)} · ${serviceText(rate)}`;

/** The prices of a label, of which one is bought. */
function Rates({ quote, onAgain }: { quote: Quote; onAgain: () => void }) {
  const [chosen, setChosen] = useState(quote.rates[0]?._id ?? null);
  const purchase = useWrite(buyLabel, {
    done: 'The label is being bought.',
    onSuccess: showLabelPart,
    untilRead: true,
  });
  const rate = quote.rates.find(({ _id }) => _id === chosen);
  return (
    <div className="flex flex-col gap-4">
      {quote.rates.length > 1 && (
        <Choices
          legend="Carrier"
          choices={quote.rates.map((each) => ({ name: each._id, label: rateText(each), consequence: '' }))}
          chosen={chosen}
          onChoose={setChosen}
          className="figures flex min-w-0 max-w-xl flex-col gap-4"
        />
      )}
      <p className="max-w-prose text-muted text-sm">
        Insured for {formatAmount(quote.insured)}.{' '}
        {quote.borneBy === 'shop'
          ? 'The shop pays, so this is the cheapest label that carriers offer.'
          : 'The price is taken from the money of the sale, or is owed if the sale ends without money for you.'}{' '}
        An unused label can be given back; its price comes back when the carrier agrees.
      </p>
      <div className="flex flex-wrap gap-3">
        {rate !== undefined && (
          <Button
            busy={purchase.isPending && 'Buying the label'}
            onClick={() =>
              purchase.mutate(
                { params: { _id: quote._id }, body: { rate: rate._id, price: rate.price } },
                { onError: (error) => isOutdated(error) && onAgain() },
              )
            }
          >
            {`Buy label – ${rateText(rate)}`}
          </Button>
        )}
        <SecondaryButton onClick={onAgain}>Ask again, or change the address</SecondaryButton>
      </div>
    </div>
  );
}

interface SenderProps extends Pick<Labels, 'sender' | 'borneBy'> {
  order: Order;
}

/** The values of a form for the seller's address, and the request that it makes. */
function useSenderForm({ order: { _id, shipTo }, sender }: Omit<SenderProps, 'borneBy'>) {
  const { shippingCountries } = useSettings();
  const country = shipTo?.address.country ?? shippingCountries[0] ?? '';
  return {
    country,
    options: {
      defaultValues: { ...fromAddress(sender ?? undefined), phone: sender?.phone ?? '' },
      input: ({ phone, ...values }: ReturnType<typeof fromAddress> & { phone: string }) => ({
        params: { _id },
        body: { sender: { ...toAddress(values, country), phone } },
      }),
      rename: shownAt,
    },
  };
}

/** The seller says to where the laptop returns, so that the buyer can get a label. */
function ReturnAddress(props: SenderProps) {
  const { country, options } = useSenderForm(props);
  const form = useWriteForm(setReturnAddress, { ...options, done: 'The buyer is emailed the address.' });
  return (
    <RequestForm form={form} submit="Save the address" busy="Saving" buttonClass="self-start">
      <p className="max-w-prose">
        To where does the laptop return? The buyer is emailed your address, and gets a label for it if the
        shop buys labels. Without it the buyer gets the whole price back when the time is over.{' '}
        {props.borneBy === 'seller'
          ? 'The price of such a label is yours to bear: it is taken from your money, or you owe it.'
          : 'The shop pays such a label.'}
      </p>
      <div className="flex max-w-xl flex-col gap-4">
        <AddressFields field={form.field} country={country} />
        <Field label="Phone" {...form.field('phone')} hint="Carriers ask for it.">
          <TextInput type="tel" autoComplete="tel" required />
        </Field>
      </div>
    </RequestForm>
  );
}

/** The seller's address, and then the prices of a label to the buyer. */
function SellerLabel(props: Omit<SenderProps, 'borneBy'>) {
  const { country, options } = useSenderForm(props);
  const [quote, setQuote] = useState<Quote | null>(null);
  const form = useWriteForm(quoteLabel, {
    ...options,
    onSuccess: (prices) => {
      setQuote(prices);
      showLabelPart();
    },
  });
  if (quote !== null) return <Rates quote={quote} onAgain={() => setQuote(null)} />;
  return (
    <RequestForm form={form} submit="Show the prices" busy="Asking carriers" buttonClass="self-start">
      <p className="max-w-prose">
        From where do you send it? The address is printed on the label; returns are sent to it.
      </p>
      <div className="flex max-w-xl flex-col gap-4">
        <AddressFields field={form.field} country={country} nameLabel="Sender" />
        <Field label="Phone" {...form.field('phone')} hint="Carriers ask for it.">
          <TextInput type="tel" autoComplete="tel" required />
        </Field>
      </div>
    </RequestForm>
  );
}

/** The buyer's label for the parcel in which the laptop returns. */
function ReturnLabel({ order: { _id } }: { order: Order }) {
  const [quote, setQuote] = useState<Quote | null>(null);
  const purchase = useWrite(buyLabel, {
    done: 'Your label is being made.',
    onSuccess: showLabelPart,
    untilRead: true,
  });
  const [rate] = quote?.rates ?? [];
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-prose">
        The shop can make a label to the seller’s address. It costs you nothing, and the parcel is insured to
        the price, which the insurance pays to the seller.
      </p>
      {quote === null || rate === undefined ? (
        <WriteButton
          endpoint={quoteLabel}
          input={{ params: { _id }, body: {} }}
          onSuccess={setQuote}
          variant="primary"
          size="regular"
          className="self-start"
          busy="Asking carriers"
        >
          Get a return label
        </WriteButton>
      ) : (
        <Button
          className="self-start"
          busy={purchase.isPending && 'Making the label'}
          onClick={() =>
            purchase.mutate(
              { params: { _id: quote._id }, body: { rate: rate._id, price: rate.price } },
              { onError: (error) => isOutdated(error) && setQuote(null) },
            )
          }
        >
          {`Make the label · ${serviceText(rate)}`}
        </Button>
      )}
    </div>
  );
}

/** The caller's bought label, to be printed or given back. */
function BoughtLabel({ label, order: { dueAt } }: { label: Label; order: Order }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="wrap-anywhere">
        <span className="font-semibold">
          {label.carrier} {label.service}
        </span>
        {label.price !== undefined && <> for {formatAmount(label.price)}</>}
        {label.borneBy === 'shop' && ', paid by the shop'},{' '}
        <span className="figures">{label.trackingNumber}</span>.{' '}
        <Tracking state={label.tracking} at={label.trackedAt} />.
      </p>
      <p className="max-w-prose">
        Print it, stick it flat on the parcel, and hand the parcel to {label.carrier}. The carrier’s scans
        update the order.
        {dueAt !== null && (
          <>
            {' '}
            If it has the parcel and does not scan it, say so below before <Day at={dueAt} />.
          </>
        )}
      </p>
      <PrintLabels label={label._id} />
      <WriteButton
        endpoint={voidLabel}
        input={{ params: { _id: label._id } }}
        done="The carrier is asked for the money back."
        variant="quiet"
        className="self-start"
        busy="Giving it back"
      >
        Give the label back
      </WriteButton>
    </div>
  );
}

const stateTexts: Partial<Record<Label['state'], string>> = {
  buying: 'is being bought',
  bought: 'is bought, and the carrier does not have the parcel yet',
  voiding: 'is given back; the carrier checks that it was not used',
  voided: 'was given back',
  kept: 'was not used, and the carrier does not take it back',
};

function labelText({ way, state, carrier, trackingNumber }: Label): string {
  const name = way === 'back' ? 'The return label' : 'The label';
  return carrier === undefined
    ? `${name} ${stateTexts[state]}.`
    : `${name} of ${carrier} ${trackingNumber} ${stateTexts[state]}.`;
}

/** The labels of an order that the caller cannot print: on their way, given back, not sold, or of the other person. */
export function OtherLabels({ labels }: { labels: readonly Label[] }) {
  if (labels.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {labels.map((label) => (
        <li key={label._id} className="wrap-anywhere">
          {label.state === 'failed' ? (
            <>The carrier did not sell the label: {label.problem} It costs nothing.</>
          ) : label.state === 'used' ? (
            <>
              {label.carrier} reports: <Tracking state={label.tracking} at={label.trackedAt} />
            </>
          ) : (
            labelText(label)
          )}
        </li>
      ))}
    </ul>
  );
}

/** Whether the parcel of a label is listed with what its carrier reports. */
const isParcel = ({ trackingNumber }: Label, { parcels }: Order): boolean =>
  parcels.some((parcel) => parcel.trackingNumber === trackingNumber);

/** The labels of an order, and what the caller can do about them. Empty in a shop that buys none. */
export function Labels({ order, labels }: { order: Order; labels: Labels }) {
  const present = presentLabel(labels);
  return (
    <>
      <OtherLabels labels={labels.labels.filter((label) => label !== present && !isParcel(label, order))} />
      {(present !== undefined || labels.offered !== null) && (
        <Section
          title="A label of the shop"
          id={LABEL_PART}
          level="h3"
          heading="text-lg"
          className="flex flex-col gap-3"
        >
          {present !== undefined && (
            <p role="status">
              {present.state === 'buying' ? 'The carrier is asked for the label…' : 'The label is bought.'}
            </p>
          )}
          {present?.state === 'bought' && <BoughtLabel label={present} order={order} />}
          {present === undefined && labels.offered === 'out' && (
            <SellerLabel order={order} sender={labels.sender} />
          )}
          {present === undefined && labels.offered === 'back' && <ReturnLabel order={order} />}
        </Section>
      )}
      {labels.takesReturnAddress &&
        (order.role === 'seller' ? (
          <ReturnAddress order={order} sender={labels.sender} borneBy={labels.borneBy} />
        ) : (
          <p className="max-w-prose">
            The seller has not entered the address to which the laptop returns. Please ask for it in Messages.
            You are emailed the address, and then have the whole time for the return. Without one, the whole
            price goes back to your card when the time is over.
          </p>
        ))}
    </>
  );
}
