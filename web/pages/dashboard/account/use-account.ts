import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { listSessions, readAccount } from '#contract/identity.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import type { AccountActions } from '../../../session/identity/account.ts';
import { usePerson, useSessionStore } from '../../../session/session.tsx';
import { toast } from '../../../ui/toast.tsx';

/** How the person signs in, as the identity provider knows it. */
export function useAccount() {
  const store = useSessionStore();
  const { email } = usePerson();
  return useQuery({
    queryKey: ['account', email],
    queryFn: () => store.run(({ account }) => account.call(readAccount, {})),
  });
}

/** Where the person is signed in. */
export function useOpenSessions() {
  const store = useSessionStore();
  const { email } = usePerson();
  return useQuery({
    queryKey: ['account', email, 'sessions'],
    queryFn: () => store.run(({ account }) => account.call(listSessions, {})),
  });
}

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
 * Changes something about the account, then refetches the account's queries. The change is done once the server has
 * answered: its result, such as recovery codes that are shown only once, never waits for the refetch.
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
