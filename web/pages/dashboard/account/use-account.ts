import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listSessions, readAccount } from '#contract/identity/account.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { usePerson, useSessionStore } from '../../../session/session.tsx';
import type { AccountActions } from '../../../session/session-actions.ts';
import { toast } from '../../../ui/toast.tsx';

function useAccountQuery<Result>(key: readonly string[], read: (account: AccountActions) => Promise<Result>) {
  const store = useSessionStore();
  const { email } = usePerson();
  return useQuery({
    queryKey: ['account', email, ...key],
    queryFn: () => store.run(({ account }) => read(account)),
  });
}

/** The account at the identity provider. */
export const useAccount = () => useAccountQuery([], ({ call }) => call(readAccount, {}));

/** The open sessions of the user. */
export const useOpenSessions = () => useAccountQuery(['sessions'], ({ call }) => call(listSessions, {}));

/**
 * A mutation of the account that invalidates the account's queries. It resolves before the refetch, so that recovery
 * codes, which are shown only once, do not depend on it.
 * @param done what a toast says afterwards; without it, the caller shows failures as well
 */
export function useAccountChange<Input, Result>(
  change: (account: AccountActions, input: Input) => Promise<Result>,
  done?: (result: Result) => string,
) {
  const store = useSessionStore();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => store.run(({ account }) => change(account, input)),
    ...(done && {
      onSuccess: (result: Result) => void toast.success(done(result)),
      onError: (error: Error) => void toast.error(errorMessage(error)),
    }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['account'] }),
  });
}
