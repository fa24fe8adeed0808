import { useQuery } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { isAdmin, isBuyer, isSeller } from '#contract/people/accounts.ts';
import { useApi, useSession } from './session.tsx';

export type Roles = z.infer<typeof isAdmin.answer> &
  z.infer<typeof isBuyer.answer> &
  z.infer<typeof isSeller.answer>;

export type RoleCheck =
  | { status: 'pending' }
  | { status: 'failed'; message: string; retry: () => void; retrying: boolean }
  | ({ status: 'known' } & Roles);

/** The roles of the signed-in user; `pending` while nobody is signed in. */
export function useRoles(): RoleCheck {
  const api = useApi();
  const session = useSession();
  const user = session.status === 'signed-in' ? session : null;
  const email = user?.person.email ?? '';
  const { data, error, isFetching, refetch } = useQuery({
    // The roles depend on the second factor.
    queryKey: ['roles', email, user?.secondFactor ?? false],
    enabled: user !== null,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Roles> => {
      const input = { params: { email }, signal };
      const [admin, buyer, seller] = await Promise.all([
        api.call(isAdmin, input),
        api.call(isBuyer, input),
        api.call(isSeller, input),
      ]);
      return { ...admin, ...buyer, ...seller };
    },
  });
  if (data !== undefined) return { status: 'known', ...data };
  if (error === null) return { status: 'pending' };
  return { status: 'failed', message: error.message, retry: () => void refetch(), retrying: isFetching };
}
