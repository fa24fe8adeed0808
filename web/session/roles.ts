import { useQuery } from '@tanstack/react-query';
import { isAdmin, isBuyer, isSeller } from '#contract/accounts.ts';
import { useApi, useSession } from './session.tsx';

export interface Roles {
  isAdmin: boolean;
  isBuyer: boolean;
  isSeller: boolean;
  /** There when what is an admin's stays closed until a sign-in with a second factor. */
  secondFactorDue?: true | undefined;
}

export type RoleCheck =
  | { status: 'pending' }
  | { status: 'failed'; message: string; retry: () => void; retrying: boolean }
  | ({ status: 'known' } & Roles);

/** The roles of who is signed in, as the server answers them; `pending` also while nobody is. */
export function useRoles(): RoleCheck {
  const api = useApi();
  const session = useSession();
  const { email, proof } =
    session.status === 'signed-in'
      ? { email: session.person.email, proof: session.secondFactor ?? false }
      : { email: null, proof: false };
  const query = useQuery({
    // With a second factor more may be open than without.
    queryKey: ['roles', email, proof],
    enabled: email !== null,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Roles> => {
      const input = { params: { email: email ?? '' }, signal };
      const [admin, buyer, seller] = await Promise.all([
        api.call(isAdmin, input),
        api.call(isBuyer, input),
        api.call(isSeller, input),
      ]);
      return { ...admin, ...buyer, ...seller };
    },
  });
  if (query.data !== undefined) return { status: 'known', ...query.data };
  if (query.isError) {
    return {
      status: 'failed',
      message: query.error.message,
      retry: () => void query.refetch(),
      retrying: query.isFetching,
    };
  }
  return { status: 'pending' };
}
