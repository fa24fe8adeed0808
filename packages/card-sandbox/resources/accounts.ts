import type Stripe from 'stripe';
import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import type { Call, Endpoint, Rendered } from '../api/endpoint.ts';
import { newRecord } from '../identifiers.ts';
import type { Capability, Requirement } from '../storage/connect-records.ts';
import type { Account } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { initialRequirements, lacksInformation, putAccount } from './account-state.ts';

const include = z.array(z.enum(['configuration.recipient', 'identity', 'requirements'])).default([]);

type Include = z.output<typeof include>;

const createParameters = z.strictObject({
  contact_email: z.email().exactOptional(),
  display_name: z.string().max(300).exactOptional(),
  dashboard: z.enum(['express', 'full', 'none']),
  identity: z.strictObject({
    country: z.string().regex(/^[A-Za-z]{2}$/),
    entity_type: z.enum(['individual', 'company', 'government_entity', 'non_profit']).exactOptional(),
    business_details: z
      .strictObject({ registered_name: z.string().max(300).exactOptional() })
      .exactOptional(),
  }),
  configuration: z.strictObject({
    recipient: z.strictObject({
      capabilities: z.strictObject({
        stripe_balance: z.strictObject({
          stripe_transfers: z.strictObject({ requested: z.literal(true) }),
        }),
      }),
    }),
  }),
  defaults: z.strictObject({
    currency: z.string().length(3).optional(),
    responsibilities: z.strictObject({
      fees_collector: z.enum(['application', 'stripe']),
      losses_collector: z.enum(['application', 'stripe']),
    }),
  }),
  metadata: z.record(z.string().max(40), z.string().max(500)).default({}),
  include,
});

/** Validates the parameters of version 2 of the API. @throws {ApiError} naming the first invalid one */
export function readJsonParameters<S extends z.ZodType>(
  schema: S,
  parameters: Record<string, unknown>,
): z.output<S> {
  const result = schema.safeParse(parameters);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const param = issue?.path.join('.') ?? '';
  throw new ApiError(400, 'invalid_request_error', `Invalid field ${param}: ${issue?.message}`, {
    code: 'invalid_fields',
    param,
  });
}

/** Returns an account. @throws {ApiError} if it does not exist */
export function requireAccount(store: Store, id: string): Account {
  const account = store.find('account', id);
  if (account === undefined) {
    throw new ApiError(404, 'invalid_request_error', `Account not found: ${id}`, { code: 'not_found' });
  }
  return account;
}

function renderRequirement({
  path,
  deadline,
  awaiting,
  error,
}: Requirement): Stripe.V2.Core.Account.Requirements.Entry {
  const restricted =
    path === 'external_account'
      ? (['stripe_balance.payouts'] as const)
      : (['stripe_balance.stripe_transfers', 'stripe_balance.payouts'] as const);
  return {
    awaiting_action_from: awaiting,
    description: path,
    errors: error === null ? [] : [error],
    impact: {
      restricts_capabilities: restricted.map((capability) => ({
        capability,
        configuration: 'recipient',
        deadline: { status: deadline },
      })),
    },
    minimum_deadline: { status: deadline },
    requested_reasons: [{ code: 'routine_onboarding' }],
  };
}

/** Stripe's types list the codes; the records hold those that the stand-in or a test has chosen. */
type StatusDetail =
  Stripe.V2.Core.Account.Configuration.Recipient.Capabilities.StripeBalance.StripeTransfers.StatusDetail;

const statusDetail = z.custom<StatusDetail>();

function renderConfiguration({ transfers, payouts }: Account): Stripe.V2.Core.Account.Configuration {
  const rendered = ({ status, detail }: Capability) => ({
    status,
    status_details: detail === null ? [] : [statusDetail.parse(detail)],
  });
  return {
    recipient: {
      applied: true,
      capabilities: {
        stripe_balance: { payouts: rendered(payouts), stripe_transfers: rendered(transfers) },
      },
    },
  };
}

const strictness = ['eventually_due', 'currently_due', 'past_due'] as const;

function renderRequirements({ requirements }: Account): Stripe.V2.Core.Account.Requirements {
  const strictest = strictness.findLast((status) => requirements.some(({ deadline }) => deadline === status));
  return {
    entries: requirements.map(renderRequirement),
    ...(strictest === undefined ? {} : { summary: { minimum_deadline: { status: strictest } } }),
  };
}

/** Renders an account in Stripe's format, with the parts that `include` names. */
function renderAccount(account: Account, parts: Include): Rendered {
  const rendered: Stripe.V2.Core.Account = {
    id: account.id,
    object: 'v2.core.account',
    applied_configurations: account.closed ? [] : ['recipient'],
    closed: account.closed,
    ...(parts.includes('configuration.recipient') && { configuration: renderConfiguration(account) }),
    created: new Date(account.created * 1000).toISOString(),
    ...account.contact,
    ...(parts.includes('identity') && { identity: account.identity }),
    livemode: false,
    ...(parts.includes('requirements') && { requirements: renderRequirements(account) }),
  };
  return { ...rendered };
}

function create(store: Store, call: Call): Rendered {
  const {
    identity,
    configuration: _,
    defaults: __,
    include: parts,
    ...contact
  } = readJsonParameters(createParameters, call.parameters);
  const account: Account = {
    ...newRecord('account', 'acct'),
    contact,
    identity: { ...identity, country: identity.country.toLowerCase() },
    transfers: lacksInformation,
    payouts: lacksInformation,
    requirements: initialRequirements(identity.entity_type),
    bankAccount: null,
    closed: false,
    payoutDueAt: null,
  };
  return renderAccount(putAccount(store, call, account), parts);
}

function retrieve(store: Store, call: Call): Rendered {
  const given = readJsonParameters(z.strictObject({ include }), call.parameters);
  return renderAccount(requireAccount(store, call.id), given.include);
}

export const accountEndpoints: Endpoint[] = [
  { method: 'POST', path: '/v2/core/accounts', handle: create },
  { method: 'GET', path: '/v2/core/accounts/:id', handle: retrieve },
];
