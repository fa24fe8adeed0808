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

/** Shows the outcome of a change in a toast, which outlives the row that started it. */
export async function withToast<Result>(
  change: Promise<Result>,
  success: (result: Result) => string,
): Promise<void> {
  try {
    toast.success(success(await change));
  } catch (error) {
    toast.error(errorMessage(error));
  }
}

/**
 * A mutation of the account that invalidates the account's queries. It resolves before the refetch, so that recovery
 * codes, which are shown only once, do not depend on it.
 */
export function useAccountChange<Input, Result>(
  change: (account: AccountActions, input: Input) => Promise<Result>,
) {
  const store = useSessionStore();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => store.run(({ account }) => change(account, input)),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['account'] }),
  });
}
