import { deadlineDays } from '#contract/money/order-states.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import {
  answerAsBuyer,
  answerAsSeller,
  buyerAnswers,
  type Complaint,
  decideComplaint,
  decisionsOfComplaint,
  isAboutOwnLaptop,
  MAXIMUM_OWN_STATEMENTS,
  MAXIMUM_STATEMENTS,
  sayAboutComplaint,
  sellerAnswers,
} from '#contract/sales/complaints.ts';
import type { Order } from '#contract/sales/orders.ts';
import { leftOfPrice } from '../../../orders/part-of-price.ts';
import { useWrite } from '../../../requests/use-write.ts';
import type { Choice, Statement } from './statement-form.tsx';

const answers = [...buyerAnswers, ...sellerAnswers, ...decisionsOfComplaint] as const;
type Move = (typeof answers)[number];
/** `say` adds words without a move. `confirm_damaged` confirms the return of a laptop that is damaged. */
export type Answer = Move | 'say' | 'confirm_damaged';

const isOneOf = <Name extends Move>(names: readonly Name[], name: Move): name is Name =>
  names.some((one) => one === name);

/** What all decisions have in common. */
const decision = {
  words: { label: 'Why', required: 'Tell both why, in a sentence' },
  submit: 'Decide',
  confirm: 'Yes, decide it',
} as const;
const yourView = { label: 'How you see it', required: 'Say how you see it, in a sentence' } as const;
const shopDecides = () =>
  `The shop looks at both sides’ words and photos and decides within ${deadlineDays('contested')} days.`;

type AnsweredOrder = Pick<
  Order,
  'role' | 'moves' | 'delivery' | 'parcels' | 'laptopWithBuyer' | 'price' | 'refunded' | 'goodwill' | 'labels'
>;

/** What a seller who gives the whole price back still pays: a sentence after the others, or empty. */
function labelCosts({ delivery, labels, laptopWithBuyer }: AnsweredOrder): string {
  if (delivery !== 'ship' || labels === 0) return '';
  if (labels === undefined) {
    return laptopWithBuyer
      ? ' If the shop’s return label is at your cost, it is deducted from your money.'
      : '';
  }
  const amount = formatAmount(labels);
  return laptopWithBuyer
    ? ` You still pay for its labels: ${amount} so far, and the return label unless it is given back unused.`
    : ` You still pay ${amount} for its labels.`;
}

/** Each answer in words. */
function choicesOf(order: AnsweredOrder, complaint: Complaint): Record<Answer, Omit<Choice<Answer>, 'name'>> {
  const { offered, kind } = complaint;
  const price = formatAmount(leftOfPrice(order));
  const wasHandedOver = isAboutOwnLaptop(kind);
  return {
    withdraw: {
      label: 'Take the complaint back',
      isQuiet: true,
      consequence: wasHandedOver
        ? 'The complaint is settled, and the seller gets the money.'
        : 'The complaint is settled, and the order goes on where it was: the shop holds the money, unless it was released before.',
      submit: 'Take it back',
      confirm: 'Yes, take it back',
      done: 'Your complaint is taken back.',
    },
    take_offer: {
      label: offered === null ? 'Accept the offer' : `Accept ${formatAmount(offered)}`,
      consequence: 'You get this part of the price back and keep the laptop. The seller gets the rest.',
      submit: 'Accept the offer',
      confirm: 'Yes, accept it',
      done: 'You accepted the offer. The order shows when the money is on its way.',
    },
    decline_offer: {
      label: 'Decline the offer',
      consequence: shopDecides(),
      hasPhotos: true,
      submit: 'Decline the offer',
      done: 'The offer is declined. The shop decides now.',
    },
    report_return: {
      label: 'The laptop is back with the seller',
      consequence: `${order.delivery === 'ship' ? 'You brought it yourself: a parcel is reported above. ' : ''}The seller has ${deadlineDays('return_reported')} days to confirm it. Without an answer it counts as confirmed. Then you get ${price} back.`,
      words: { label: 'How and when it went back' },
      hasPhotos: true,
      submit: 'Say that it is back',
      done: 'Thank you. The seller has to confirm it now.',
    },
    accept: {
      label: 'Give the whole price back',
      consequence: order.laptopWithBuyer
        ? `The buyer returns the laptop to you, and you confirm it here. Then the buyer gets ${price} back, and you get nothing for this sale.${labelCosts(order)}`
        : `The buyer gets ${price} back at once, and you get nothing for this sale.${labelCosts(order)} ${order.delivery === 'ship' ? 'If the parcel comes back, the laptop is yours.' : 'The laptop is yours.'}`,
      submit: 'Give the price back',
      confirm: 'Yes, give it back',
      done: 'You agreed to give the price back.',
    },
    offer: {
      label: 'Offer a part of the price',
      consequence: `The rest of the price is for you, less the commission. The buyer has ${deadlineDays('offered')} days to answer; without an answer your offer counts as accepted. If the buyer declines, the shop decides.`,
      amountLabel: 'Part of the price',
      submit: 'Offer it',
      confirm: 'Yes, offer it',
      done: 'Your offer is with the buyer.',
    },
    contest: {
      label: 'Contradict',
      consequence: shopDecides(),
      words: yourView,
      hasPhotos: true,
      submit: 'Contradict',
      done: 'The shop has your words and decides now.',
    },
    confirm_return: {
      label: 'The laptop is back with me',
      consequence: `The buyer gets ${price} back at once, and the laptop is yours again. This cannot be undone.`,
      submit: 'Confirm the return',
      confirm: 'Yes, I have it back',
      done: 'Thank you. The buyer gets the price back.',
    },
    confirm_damaged: {
      label: 'It is back, and was damaged on its way',
      consequence: `The buyer gets ${price} back at once: the shop claims the insurance of the return label, and what that pays is yours. Photograph the parcel and the damage. This cannot be undone.`,
      words: { label: 'What is damaged', required: 'Say what is damaged, in a sentence' },
      hasPhotos: true,
      submit: 'Confirm the damaged return',
      confirm: 'Yes, I have it back',
      done: 'Thank you. The buyer gets the price back, and the shop claims the insurance.',
    },
    deny_return: {
      label: 'The laptop is not back',
      consequence: shopDecides(),
      words: yourView,
      hasPhotos: true,
      submit: 'Deny the return',
      done: 'The shop has your words and decides now.',
    },
    decide_return: {
      label: 'The price goes back, the laptop first',
      consequence: `The buyer returns the laptop, and the seller confirms it. Then the buyer gets ${price} back, and the seller gets nothing.`,
      ...decision,
      done: 'It is decided for the buyer. Both are told.',
    },
    decide_refund: {
      label: 'The price goes back at once',
      consequence: `The buyer gets ${price} back now${wasHandedOver ? ' and need not return the laptop' : ''}. The seller gets nothing.`,
      ...decision,
      done: 'It is decided for the buyer. Both are told.',
    },
    decide_part: {
      label: 'A part of the price goes back',
      consequence:
        'The buyer keeps the laptop and gets this part back. The seller gets the rest, less the commission.',
      ...decision,
      amountLabel: 'Part of the price',
      done: 'A part of the price goes back. Both are told.',
    },
    decide_release: {
      label: 'The seller gets the money',
      consequence: 'The buyer gets nothing back and keeps what they have. The complaint is settled.',
      ...decision,
      done: 'It is decided for the seller. Both are told.',
    },
    say: {
      label: 'Add words or photos',
      consequence: 'The other side and the shop read it. Nothing else changes.',
      words: { label: 'Your words', required: 'Write what you want to say' },
      hasPhotos: true,
      submit: 'Send',
      done: 'Your words are added.',
    },
  };
}

/** What the caller can do about an open complaint, as the order allows it. */
export function answersTo(order: AnsweredOrder, complaint: Complaint): Choice<Answer>[] {
  const { isOpen, kind, statements } = complaint;
  if (!isOpen) return [];
  const texts = choicesOf(order, complaint);
  const possible: Answer[] = answers.filter(
    (name) =>
      order.moves.includes(name) &&
      // Without a hand-over nothing returns, and no part of the price settles it.
      (isAboutOwnLaptop(kind) || !['decide_return', 'decide_part', 'offer'].includes(name)),
  );
  // As the server opens the claim: of a parcel with a label of the shop, unless the way out is claimed for the damage.
  const returned = order.parcels.at(-1);
  const confirms = possible.indexOf('confirm_return');
  if (confirms >= 0 && kind !== 'damaged' && returned?.way === 'back' && returned.tracking !== undefined) {
    possible.splice(confirms + 1, 0, 'confirm_damaged');
  }
  const ownStatements = statements.filter(({ by, move }) => by === order.role && move === null).length;
  if (ownStatements < MAXIMUM_OWN_STATEMENTS && statements.length < MAXIMUM_STATEMENTS) possible.push('say');
  // Last: few want it, and it ends the complaint for the other side.
  const ordered = possible.toSorted(
    (one, other) => Number(one === 'withdraw') - Number(other === 'withdraw'),
  );
  return ordered.map((name) => ({ name, ...texts[name] }));
}

/** Sends an answer by the call of its role. */
export function useAnswer(order: Order, offered: number | null) {
  // The form shows failures.
  const quiet = { onError: () => undefined };
  const say = useWrite(sayAboutComplaint, quiet);
  const asBuyer = useWrite(answerAsBuyer, quiet);
  const asSeller = useWrite(answerAsSeller, quiet);
  const decide = useWrite(decideComplaint, quiet);
  const params = { _id: order._id };
  return (name: Answer, { text, amount, photos }: Statement): Promise<unknown> => {
    if (name === 'say') return say.mutateAsync({ params, body: { text, photos } });
    if (name === 'confirm_damaged') {
      return asSeller.mutateAsync({
        params,
        body: { move: 'confirm_return', isDamaged: true, text, photos },
      });
    }
    if (isOneOf(buyerAnswers, name)) {
      const seen = name === 'take_offer' && offered !== null ? { amount: offered } : {};
      return asBuyer.mutateAsync({ params, body: { move: name, ...seen, text, photos } });
    }
    const part = amount === '' ? {} : { amount };
    return isOneOf(sellerAnswers, name)
      ? asSeller.mutateAsync({ params, body: { move: name, ...part, text, photos } })
      : decide.mutateAsync({ params, body: { move: name, ...part, text } });
  };
}
