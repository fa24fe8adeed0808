import { readOwnPhone } from '#contract/people/phone-checks.ts';
import { useRead } from '../../../requests/reads.ts';

/** How often the state of a code is read while it is being sent, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

/** The seller's own telephone number and code. */
export const useOwnPhone = () =>
  useRead(
    readOwnPhone,
    {},
    { refetchInterval: ({ state }) => (state.data?.code?.state === 'sending' ? POLL_INTERVAL_MS : false) },
  );
