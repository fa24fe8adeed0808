import { useQuery } from '@tanstack/react-query';
import { isAdmin, isBuyer, isSeller } from '#contract/accounts.ts';
import { useApi, useSession } from './session.tsx';

export interface Roles {
  isAdmin: boolean;
  isBuyer: boolean;
  isSeller: boolean;
  /** Present while the admin pages require a sign-in with a second factor. */
  secondFactorDue?: true | undefined;
}

export type RoleCheck =
  | { status: 'pending' }
  | { status: 'failed'; message: string; retry: () => void; retrying: boolean }
  | ({ status: 'known' } & Roles);

/** The signed-in user's roles from the server; `pending` without one. */
export function useRoles(): RoleCheck {
  const api = useApi();
  const session = useSession();
  const { email, proof } =
    session.status === 'signed-in'
      ? { email: session.person.email, proof: session.secondFactor ?? false }
      : { email: null, proof: false };
  const query = useQuery({
    // A second factor changes the answer.
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
