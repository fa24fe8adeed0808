import { useQuery, useQueryClient } from '@tanstack/react-query';
import { askPhoneCode, confirmPhone, readOwnPhone, removePhone } from '#contract/people/phone-checks.ts';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi, usePerson } from '../../../session/session.tsx';

/** How often the state of a code is read while it is being sent, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

const ownPhoneKey = ['ownPhone'];

const idempotencyKeys = createIdempotencyKeys();

/** The seller's own telephone number and code. */
export function useOwnPhone() {
  const api = useApi();
  const { email } = usePerson();
  return useQuery({
    queryKey: [...ownPhoneKey, email],
    queryFn: ({ signal }) => api.call(readOwnPhone, { signal }),
    refetchInterval: ({ state }) => (state.data?.code?.state === 'sending' ? POLL_INTERVAL_MS : false),
  });
}

/** The requests that change the seller's own telephone number. Each resolves after the number was read again. */
export function usePhoneRequests() {
  const api = useApi();
  const queries = useQueryClient();
  const { email } = usePerson();
  const refresh = () => queries.invalidateQueries({ queryKey: ownPhoneKey });
  return {
    /** Sends a code. A retry after a lost response sends none again. @throws Problem */
    async askCode(phone: string): Promise<void> {
      const body = { phone };
      await idempotencyKeys.send(`phone ${email}`, body, ({ idempotencyKey }) =>
        api.call(askPhoneCode, { body, idempotencyKey }),
      );
      await refresh();
    },
    /** @throws Problem */
    async confirm(code: string): Promise<void> {
      await api.call(confirmPhone, { body: { code } });
      await refresh();
    },
    /** @throws Problem */
    async remove(): Promise<void> {
      await api.call(removePhone, {});
      await refresh();
    },
  };
}
