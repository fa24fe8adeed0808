import { useState } from 'react';
import { deadlineDays } from '#contract/money/order-states.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import {
  complain,
  complaintKindNames,
  complaintKinds,
  isAboutOwnLaptop,
  isOfDelivery,
  MAXIMUM_COMPLAINTS,
} from '#contract/sales/complaints.ts';
import type { Order } from '#contract/sales/orders.ts';
import { Choices } from '../../../forms/choices.tsx';
import { isMissedDelivery } from '../../../orders/order-texts.ts';
import { leftOfPrice } from '../../../orders/part-of-price.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Details } from '../../../ui/details.tsx';
import { Section } from '../../../ui/section.tsx';
import { type Choice, StatementForm, useStatementDraft } from './statement-form.tsx';

type Kind = keyof typeof complaintKinds;

const hints: Record<Kind, string> = {
  not_as_described: 'Another model, other parts, or flaws that the listing does not name.',
  locked: 'It asks for a password, or belongs to a company.',
  does_not_work: 'It does not start, or a part of it fails.',
  not_taken: 'You met the seller, it was not as described, and you left it there.',
  not_handed_over: 'The seller did not come, or does not answer.',
  damaged: 'The parcel or the laptop was damaged on its way. Photos of both help.',
  not_arrived: 'It is lost, was delivered elsewhere, or the tracking says nothing any more.',
};

const choiceOf = (name: Kind): Choice<Kind> => ({
  name,
  label: complaintKinds[name],
  consequence: hints[name],
  words: { label: 'What is wrong', required: 'Describe what is wrong' },
  hasPhotos: true,
  submit: 'Send the complaint',
  done: 'Your complaint is with the seller.',
});

const possessions = [
  { name: 'yes', label: 'Yes', consequence: 'If the price goes back to you, the laptop goes back first.' },
  { name: 'no', label: 'No', consequence: 'You left it with the seller, or the seller did not come.' },
] as const;
const ofParcel = [
  possessions[0],
  { name: 'no', label: 'No', consequence: 'It has not arrived, or was delivered elsewhere.' },
] as const;
type Possession = (typeof possessions)[number]['name'];

/** The buyer's form for a complaint. When none is possible any more, only what was typed in the open form stays. */
export function NewComplaint({ order }: { order: Order }) {
  const { mutateAsync } = useWrite(complain, { onError: () => undefined });
  const draft = useStatementDraft(order._id, 'complain');
  const [kept] = useState(() => complaintKindNames.find((kind) => kind === draft.read()?.choice));
  const [isOpen, setIsOpen] = useState(kept !== undefined);
  const [answer, setAnswer] = useState<Possession | null>(
    kept === undefined ? null : isAboutOwnLaptop(kept) ? 'yes' : 'no',
  );
  const complaints = order.timeline.filter(({ event }) => event === 'complain').length;
  const isPossible = order.moves.includes('complain') && complaints < MAXIMUM_COMPLAINTS;
  if (!isPossible && !isOpen) return null;
  const possession = order.laptopWithBuyer ? 'yes' : answer;
  const possible = complaintKindNames.filter(
    (kind) =>
      isPossible && isOfDelivery(kind, order.delivery) && isAboutOwnLaptop(kind) === (possession === 'yes'),
  );
  return (
    <Section title="Something is wrong?" className="card">
      <p className="mt-2 max-w-prose">
        {isPossible ? (
          <>
            Tell the seller here.{' '}
            {order.state !== 'released'
              ? `The shop holds your ${formatAmount(leftOfPrice({ ...order, goodwill: 0 }))} until it is settled.`
              : 'You can get your money back, although it was released to the seller.'}{' '}
            The seller has {deadlineDays('complaint')} days to answer; without an answer{' '}
            {isMissedDelivery(order)
              ? 'you get the price back after the laptop or, if you do not have it, the shop decides.'
              : 'you get the price back, after the laptop if you have it.'}
          </>
        ) : (
          'A new complaint is not possible now.'
        )}
      </p>
      <Details summary="Complain" className="mt-3" open={isOpen} onOpenChange={setIsOpen}>
        <div className="flex flex-col gap-5">
          {isPossible && !order.laptopWithBuyer && (
            <div className="max-w-2xl">
              <Choices
                legend="Do you have the laptop?"
                choices={order.delivery === 'ship' ? ofParcel : possessions}
                chosen={answer}
                onChoose={setAnswer}
              />
            </div>
          )}
          {possession !== null && (
            <StatementForm
              legend="What is wrong?"
              choices={possible.map(choiceOf)}
              draft={draft}
              price={order.price}
              send={async (kind, { text, photos }) => {
                await mutateAsync({ params: { _id: order._id }, body: { kind, text, photos } });
                setIsOpen(false);
              }}
            />
          )}
        </div>
      </Details>
    </Section>
  );
}
