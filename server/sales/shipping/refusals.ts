import { formatCents } from '#contract/platform/money.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { BorneLabel } from './label-rules.ts';

/** The refusal of a tracking number that is that of another parcel, or of a label that was given back. @param field of the number in the request */
export function trackedElsewhere(field: string): Refusal {
  const error = 'This tracking number is that of another parcel, or of a label that was given back';
  return new Refusal(
    'invalid_input',
    `${error}. Nothing was changed; please look at the carrier’s receipt again.`,
    { errors: { [field]: error } },
  );
}

/** The refusal of a proof that a parcel was delivered whose label leads to an address before the buyer's correction. */
export const sentToFormerAddress = ({ laptop_name }: { laptop_name: string }): Refusal =>
  new Refusal(
    'order_moved',
    `The parcel of ${laptop_name} has a label to a former address of the buyer, so that its delivery proves nothing. Nothing was changed; please ask the buyer in Messages, or the shop to decide.`,
  );

/** The refusal of a label that costs more than the sale leaves, see `maximumLabelCents`. All amounts in cents. */
export function labelTooDear({ way, borne_by }: BorneLabel, costCents: number, mostCents: number): Refusal {
  const left = formatCents(Math.max(0, mostCents));
  const cost = `The label costs ${formatCents(costCents)} with its insurance`;
  return new Refusal(
    'label_refused',
    way === 'out' && borne_by === 'seller'
      ? `${cost}, and of this sale ${left} are left for you. Nothing was bought; please choose a cheaper one, send it with a label of your own, or cancel the sale.`
      : `${cost}, which is more than the ${left} that are left of the price. Nothing was bought; please agree in Messages on how it is sent.`,
  );
}
