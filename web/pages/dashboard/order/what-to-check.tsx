import { type ReactNode, useId } from 'react';
import type { Contradiction, Measurement } from '#contract/certification/inspections.ts';
import {
  batteryWords,
  driveWords,
  type Machine,
  machineName,
  memoryText,
} from '#contract/certification/machine.ts';
import type { ConfigurationField } from '#contract/listings/laptop-schemas.ts';
import { readSoldLaptop, type SoldLaptop } from '#contract/sales/orders.ts';
import { Day } from '../../../formats/date-time.tsx';
import { lockLines } from '../../../inspections/measured-values.ts';
import { conditionDefinitions } from '../../../laptops/condition-definitions.ts';
import { orderParts } from '../../../orders/next-step.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { EnlargeablePhotos } from '../../../ui/enlargeable-photos.tsx';
import { Section } from '../../../ui/section.tsx';
import { LaptopChecks, MeasureAgain, type MeasureAgainProps } from './measure-again.tsx';

/** The parts of a configuration that are compared with the laptop, in this order. */
const comparedFields: readonly ConfigurationField[] = [
  'Processor',
  'Memory',
  'Storage',
  'Graphics',
  'Display',
];

/** One thing to check. */
function Row({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <li aria-labelledby={id} className="py-4">
      <h3 id={id} className="mb-1 font-semibold text-lg">
        {title}
      </h3>
      {children}
    </li>
  );
}

/** A value in the size in which it is compared with the laptop. */
const Value = ({ children }: { children: ReactNode }) => (
  <p className="figures text-xl wrap-anywhere">{children}</p>
);

const Unread = () => <p>Unknown: the measurement could not read it.</p>;

/** What of a measurement contradicts the listing in these fields. */
function Contradicted({
  measured,
  fields,
}: {
  measured: Measurement;
  fields: readonly Contradiction['field'][];
}) {
  return measured.contradictions
    .filter(({ field }) => fields.includes(field))
    .map(({ field, listed, measured: value }) => (
      <p key={field} className="mt-1 font-semibold text-danger wrap-anywhere">
        {field}: listed as {listed}, but the laptop reported {value}.
      </p>
    ));
}

/** Processor, memory and drives in one line, such as `Core i5, 16 GB memory, 512 GB SSD`. */
function partsOf({ processor, memory, drives }: Machine): string {
  return [
    processor?.value ?? 'processor unknown',
    memory === null ? 'memory unknown' : `${memoryText(memory)} memory`,
    ...(drives.length === 0 ? ['drive unknown'] : drives.map(driveWords)),
  ].join(', ');
}

/** A lock that was not found may still exist, and one that was not read is not known: the laptop itself shows both. */
function Locks({ machine }: { machine: Machine }) {
  const named = (wanted: string) =>
    lockLines(machine)
      .filter(({ state }) => state === wanted)
      .map(({ label }) => label)
      .join(', ');
  const lists = [
    ['Found', named('locked')],
    ['Not found', named('not_found')],
    ['Unknown', named('unknown')],
  ] as const;
  return (
    <>
      {lists.map(([word, names]) => names !== '' && <p key={word}>{`${word}: ${names}.`}</p>)}
      <p className="mt-1 text-muted">
        A lock that was not found may still exist. Start the laptop: it must ask for no password and no
        organization’s account.
      </p>
    </>
  );
}

/** What the laptop reported before the sale. */
function MeasuredRows({ measurement }: { measurement: Measurement }) {
  const { machine, measuredWith } = measurement;
  return (
    <>
      <Row title="Serial number">
        {machine.serial === null ? (
          <Unread />
        ) : (
          <>
            <Value>{machine.serial.value}</Value>
            <p className="mt-1">
              {measuredWith === 'macos'
                ? 'Engraved on the underside, and in the Apple menu under About This Mac.'
                : 'On a label or engraved on the underside, and in the firmware’s setup.'}{' '}
              The beginning and the end must be these.
            </p>
          </>
        )}
      </Row>
      <Row title="Model, processor, memory and drive">
        <Value>{machineName(machine) ?? 'Model unknown'}</Value>
        <p className="figures mt-1 wrap-anywhere">{partsOf(machine)}</p>
        <Contradicted measured={measurement} fields={comparedFields} />
      </Row>
      <Row title="Battery">
        {machine.battery === null ? <Unread /> : <Value>{batteryWords(machine.battery.value)}</Value>}
        <Contradicted measured={measurement} fields={['Condition', 'Battery']} />
      </Row>
      <Row title="Locks">
        <Locks machine={machine} />
      </Row>
    </>
  );
}

/** What to look at on a laptop of which nothing was measured. */
function UnmeasuredRows({ description, isSeller }: Pick<SoldLaptop, 'description'> & { isSeller: boolean }) {
  const listed: Partial<Record<ConfigurationField, string>> =
    typeof description === 'string' ? {} : description;
  const compared = comparedFields.filter((field) => listed[field]);
  return (
    <>
      <Row title="Serial number">
        <p>
          Compare the one on the underside with the one in the firmware’s setup or, on a Mac, in the Apple
          menu under About This Mac. Both must be the same.
        </p>
      </Row>
      <Row title="Processor, memory and drive">
        {compared.length > 0 && (
          <dl className="mb-2">
            {compared.map((field) => (
              <div key={field} className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-2 max-3xs:grid-cols-1">
                <dt className="text-muted">{field}</dt>
                <dd className="wrap-anywhere">{listed[field]}</dd>
              </div>
            ))}
          </dl>
        )}
        <p>
          These are {isSeller ? 'your' : 'the seller’s'} words. The laptop shows its own under Settings,
          System, About (Windows), the Apple menu, About This Mac (macOS), or Settings, About (Linux).
        </p>
      </Row>
      <Row title="Battery">
        {listed.Battery && <p className="wrap-anywhere">{listed.Battery}</p>}
        <p>
          Unplug it: it must keep running. Its health is shown by{' '}
          <code className="font-mono">powercfg /batteryreport</code> (Windows) and under System Settings,
          Battery (macOS).
        </p>
      </Row>
      <Row title="Locks">
        <p>Start the laptop: it must ask for no password and no organization’s account.</p>
      </Row>
    </>
  );
}

/** The condition, the seller's words, and the photos of what they name. */
function Flaws({
  laptop: { condition, description, images, named },
  isSeller,
}: {
  laptop: SoldLaptop;
  isSeller: boolean;
}) {
  const who = isSeller ? 'You have' : 'The seller has';
  const notes = typeof description === 'string' ? description : description.Notes;
  const captions = Object.fromEntries(named.map(({ photo, caption }) => [photo, caption ?? 'Marks']));
  return (
    <Row title="Flaws and marks">
      <p className="max-w-prose">
        <strong className="font-semibold">{condition}</strong>: {conditionDefinitions[condition]}
      </p>
      {notes !== undefined && (
        <p className="mt-2 max-w-prose whitespace-pre-line wrap-anywhere">
          {isSeller ? 'Your' : 'The seller’s'} words: “{notes}”
        </p>
      )}
      <p className="mt-2 mb-3 max-w-prose">
        {named.length > 0
          ? `${who} named these. Look for others.`
          : `${who} named nothing in a photo. Compare the laptop with the photos.`}
      </p>
      <EnlargeablePhotos
        title={named.length > 0 ? 'What was named' : 'As it was listed'}
        urls={named.length > 0 ? named.map(({ photo }) => photo) : images}
        captions={captions}
        className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))]"
        sizes="(min-width: 640px) 15rem, 50vw"
        showCaptions
      />
    </Row>
  );
}

function CheckList({ laptop, ...props }: MeasureAgainProps & { laptop: SoldLaptop }) {
  const { measurement } = laptop;
  const isSeller = props.order.role === 'seller';
  return (
    <>
      <p className="mt-2 max-w-prose">
        {measurement === null ? (
          'This laptop was not measured before the sale. Check it by eye.'
        ) : (
          <>
            This is what the laptop reported on <Day at={measurement.measuredAt} />, when{' '}
            {isSeller ? 'you' : 'the seller'} measured it.
          </>
        )}
      </p>
      <ul className="mt-2 divide-y divide-border">
        {measurement === null ? (
          <UnmeasuredRows description={laptop.description} isSeller={isSeller} />
        ) : (
          <MeasuredRows measurement={measurement} />
        )}
        <Flaws laptop={laptop} isSeller={isSeller} />
        <Row title="By hand">
          <p className="max-w-prose">
            Press every key, move and click the touchpad, look at the screen while it is white and black, and
            try camera, sound, ports and charger.
          </p>
        </Row>
        {measurement !== null && (
          <Row title="The same laptop?">
            <MeasureAgain {...props} measuredWith={measurement.measuredWith} />
          </Row>
        )}
      </ul>
    </>
  );
}

/** What is compared with the laptop: at the meeting before the code is shown, and when its parcel has arrived. */
export function WhatToCheck(props: MeasureAgainProps) {
  const { order } = props;
  // What was sent is looked at by its buyer only.
  const isAhead = order.state === 'held' || (order.state === 'delivered' && order.role !== 'seller');
  const laptop = useRead(
    readSoldLaptop,
    { params: { _id: order._id } },
    {
      enabled: isAhead,
      // What was sold does not change.
      staleTime: Number.POSITIVE_INFINITY,
    },
  );
  if (!isAhead && order.laptopChecks.length === 0) return null;
  return (
    <Section
      id={orderParts.check}
      title={
        isAhead
          ? 'What to check'
          : order.delivery === 'ship'
            ? 'Measured again after the arrival'
            : 'Measured again at the hand-over'
      }
      className="card"
    >
      {isAhead ? (
        <QueryView query={laptop} what="what to check" skeleton="mt-4 h-64">
          {(data) => <CheckList laptop={data} {...props} />}
        </QueryView>
      ) : (
        <LaptopChecks checks={order.laptopChecks} />
      )}
    </Section>
  );
}
