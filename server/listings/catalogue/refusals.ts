import { Refusal } from '#server/platform/http/refusal.ts';

/** The refusal for a laptop that is not the caller's, the same as for an unknown one. */
export const notOwnLaptop = () => new Refusal('not_found', 'There is no such laptop among your products.');
