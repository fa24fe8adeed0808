import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { isAdmin, isBuyer, isSeller, readOwnRights } from '#contract/people/accounts.ts';
import { hasRight, type StaffArea } from '#contract/platform/staff-rights.ts';
import { useUserCache } from '../requests/query-client.ts';
import { queryKeyOf } from '../requests/reads.ts';
import { tryStorage } from '../ui/browser-storage.ts';
import { useApi, useSession } from './session.tsx';

const Roles = z.extend(isAdmin.response, {
  ...isBuyer.response.shape,
  ...isSeller.response.shape,
  /** Of an admin. */
  rights: z.optional(readOwnRights.response),
});
export type Roles = z.infer<typeof Roles>;

export type RoleCheck =
  | { status: 'pending' }
  | { status: 'failed'; message: string; retry: () => void; retrying: boolean }
  | ({ status: 'known' } & Roles);

/**
 * The roles of the signed-in user; `pending` while nobody is signed in. After a reload they are known from the last time, and read
 * again beside the page's data instead of before them. The server checks each call.
 */
export function useRoles(): RoleCheck {
  const api = useApi();
  const session = useSession();
  const user = session.status === 'signed-in' ? session : null;
  const email = user?.person.email ?? '';
  // The roles depend on the second factor.
  const secondFactor = user?.secondFactor ?? false;
  const storageKey = `coomercioRoles:${email}:${secondFactor}`;
  const query: UseQueryOptions<Roles> = {
    queryKey: [...queryKeyOf(isAdmin, { params: { email } }), secondFactor],
    initialData: () =>
      tryStorage(() => Roles.parse(JSON.parse(sessionStorage.getItem(storageKey) ?? ''))) ?? undefined,
    initialDataUpdatedAt: 0,
    enabled: user !== null,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Roles> => {
      const input = { params: { email }, signal };
      const [admin, buyer, seller] = await Promise.all([
        api.call(isAdmin, input),
        api.call(isBuyer, input),
        api.call(isSeller, input),
      ]);
      const rights = admin.isAdmin ? await api.call(readOwnRights, { signal }) : undefined;
      const roles = { ...admin, ...buyer, ...seller, ...(rights && { rights }) };
      tryStorage(() => sessionStorage.setItem(storageKey, JSON.stringify(roles)));
      return roles;
    },
  };
  const { data, error, isFetching, refetch } = useQuery(query, useUserCache());
  if (data !== undefined) return { status: 'known', ...data };
  if (error === null) return { status: 'pending' };
  return { status: 'failed', message: error.message, retry: () => void refetch(), retrying: isFetching };
}

/** Whether the signed-in admin works in an area; false for everybody else, and until it is known. */
export function useRights(): (area: StaffArea) => boolean {
  const roles = useRoles();
  const rights = roles.status === 'known' ? roles.rights : undefined;
  return (area) => rights !== undefined && hasRight(rights, [area]);
}
