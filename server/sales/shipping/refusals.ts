import { Refusal } from '#server/platform/http/refusal.ts';

/** The refusal of a tracking number that is that of another parcel. @param field of the number in the request */
export function trackedElsewhere(field: string): Refusal {
  const error = 'This tracking number is that of another parcel';
  return new Refusal(
    'invalid_input',
    `${error}. Nothing was changed; please look at the carrier’s receipt again.`,
    { errors: { [field]: error } },
  );
}
