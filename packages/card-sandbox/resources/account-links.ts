import type Stripe from 'stripe';
import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import type { Call, Endpoint, Rendered } from '../api/endpoint.ts';
import { nowInSeconds, randomLetters } from '../identifiers.ts';
import type { AccountLink } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { readJsonParameters, requireAccount } from './accounts.ts';

/** How long a link can be opened, in seconds. Stripe's expire within minutes. */
const LIFETIME = 5 * 60;

const httpUrl = z.url({ protocol: /^https?$/ });

const createParameters = z.strictObject({
  account: z.string(),
  use_case: z.strictObject({
    type: z.literal('account_onboarding'),
    account_onboarding: z.strictObject({ refresh_url: httpUrl, return_url: httpUrl.optional() }),
  }),
});

function create(store: Store, origin: string, call: Call): Rendered {
  const { account: id, use_case: useCase } = readJsonParameters(createParameters, call.parameters);
  const account = requireAccount(store, id);
  if (account.closed) {
    throw new ApiError(400, 'invalid_request_error', `The account ${id} is closed.`, {
      code: 'account_closed',
    });
  }
  const { refresh_url, return_url } = useCase.account_onboarding;
  const created = nowInSeconds();
  const link: AccountLink = {
    kind: 'accountLink',
    id: randomLetters(32),
    created,
    account: id,
    expiresAt: created + LIFETIME,
    returnUrl: return_url ?? null,
    refreshUrl: refresh_url,
    visit: null,
    completed: false,
  };
  store.put(link);
  const rendered: Stripe.V2.Core.AccountLink = {
    object: 'v2.core.account_link',
    account: id,
    created: new Date(created * 1000).toISOString(),
    expires_at: new Date(link.expiresAt * 1000).toISOString(),
    livemode: false,
    url: `${origin}/onboarding/${link.id}`,
    use_case: {
      type: useCase.type,
      account_onboarding: { refresh_url, ...(return_url !== undefined && { return_url }) },
    },
  };
  return { ...rendered };
}

/** Opens a link. Call it only inside the store's `run`. @returns the secret of the visit; null if it cannot be opened */
export function openLink(store: Store, link: AccountLink): string | null {
  const account = store.find('account', link.account);
  if (link.visit !== null || link.expiresAt < nowInSeconds() || account?.closed !== false) return null;
  const visit = randomLetters(32);
  store.put({ ...link, visit });
  return visit;
}

/** Creates the endpoint of links. @param origin the stand-in's, where the hosted pages are */
export const accountLinkEndpoints = (origin: string): Endpoint[] => [
  { method: 'POST', path: '/v2/core/account_links', handle: (store, call) => create(store, origin, call) },
];
