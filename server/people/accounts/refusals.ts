import { Refusal } from '#server/platform/http/refusal.ts';

/** The refusal of a search that more people match than it reads. */
export function tooManyMatch(maximum: number): Refusal {
  const sentence = `More than ${maximum.toLocaleString('en-US')} people match. Please type more of the name or of the email address`;
  return new Refusal('invalid_input', `${sentence}.`, { errors: { search: sentence } });
}
