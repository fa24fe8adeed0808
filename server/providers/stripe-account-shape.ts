// The schema of an account of Stripe Connect, and its requirements in words.
import * as z from 'zod/mini';
import type { CapabilityStatus, PayoutAccount, PayoutRequirement } from '#server/money/payouts/processor.ts';
import { Name } from './stripe-shapes.ts';

const optional = <Shape extends z.ZodMiniType>(shape: Shape) => z.optional(z.nullable(shape));

/** The names of requirements by the first parts of Stripe's paths, longest first. Ids of persons are left out. */
const requirementTexts: readonly (readonly [path: string, text: string])[] = [
  ['identity.individual.verification', 'A photo of an identity document'],
  ['identity.individual.documents', 'A photo of an identity document'],
  ['identity.individual.date_of_birth', 'Your date of birth'],
  ['identity.individual.address', 'Your address'],
  ['identity.individual.id_numbers', 'Your tax or identity number'],
  ['identity.individual.email', 'Your e-mail address'],
  ['identity.individual.phone', 'Your telephone number'],
  ['identity.individual', 'Your name'],
  ['identity.business_details.registered_name', 'The registered name of your organization'],
  ['identity.business_details.id_numbers', 'The tax or registration number of your organization'],
  ['identity.business_details.address', 'The address of your organization'],
  ['identity.business_details.phone', 'The telephone number of your organization'],
  ['identity.business_details.structure', 'The legal form of your organization'],
  ['identity.business_details.registration_date', 'The date of registration of your organization'],
  ['identity.business_details.documents', 'A document about your organization'],
  ['identity.business_details', 'Details of your organization'],
  ['identity.persons.verification', 'A photo of an identity document of a person of your organization'],
  ['identity.persons.documents', 'A photo of an identity document of a person of your organization'],
  ['identity.persons.relationship', 'Who owns, directs and represents your organization'],
  ['identity.persons', 'Name, birth date, address and identity number of the people of your organization'],
  ['identity.attestations.directorship', 'Your confirmation that all directors are named'],
  ['identity.attestations.ownership', 'Your confirmation that all owners are named'],
  ['identity.attestations.representative', 'Your confirmation that you may represent your organization'],
  ['identity.attestations.persons_provided', 'Your confirmation that all owners and directors are named'],
  ['identity.attestations', 'Your agreement to the terms of service'],
  ['identity.entity_type', 'Whether you sell as a person or an organization'],
  ['identity.country', 'Your country'],
  ['external_account', 'A bank account'],
  ['configuration.recipient.default_outbound_destination', 'A bank account'],
  ['defaults.payout_methods', 'A bank account'],
];

function requirementText(path: string): string {
  // A person of a company is named by an id, as in `identity.persons.person_123.address`.
  const general = path.replace(
    /^(?:identity\.)?(?:persons\.person_\w+|persons|person_\w+)\./,
    'identity.persons.',
  );
  const known = requirementTexts.find(([start]) => general.startsWith(start));
  return known?.[1] ?? `More information (${path.replace(/[^\w.]/g, '').slice(0, 80)})`;
}

const dueTimes: Readonly<Record<string, PayoutRequirement['due']>> = {
  past_due: 'overdue',
  currently_due: 'now',
};

const Requirement = z.pipe(
  z.object({
    description: z.string(),
    awaiting_action_from: z.string(),
    errors: z._default(optional(z.array(z.object({ description: z.string() }))), []),
    minimum_deadline: optional(z.object({ status: z.string() })),
  }),
  z.transform(
    (entry): PayoutRequirement => ({
      text: requirementText(entry.description),
      due: dueTimes[entry.minimum_deadline?.status ?? ''] ?? 'later',
      waitsFor: entry.awaiting_action_from === 'stripe' ? 'processor' : 'seller',
      problems: (entry.errors ?? []).map(({ description }) => description.slice(0, 500)),
    }),
  ),
);

const Capability = z.object({
  status: z.string(),
  status_details: z._default(optional(z.array(z.object({ code: z.string(), resolution: z.string() }))), []),
});
type Capability = z.infer<typeof Capability>;

/** A capability that Stripe does not return was not granted. */
const missing: Capability = { status: 'restricted', status_details: [] };

/** Stripe calls a refused capability `rejected`, or `restricted` without a resolution. */
const capabilityStatuses: Readonly<Record<string, CapabilityStatus>> = {
  active: 'active',
  pending: 'pending',
  unsupported: 'unsupported',
};
const toStatus = ({ status }: Capability): CapabilityStatus => capabilityStatuses[status] ?? 'restricted';

function blockedBy({ status, status_details }: Capability): PayoutAccount['blockedBy'] {
  const details = status_details ?? [];
  if (status === 'active') return null;
  if (status === 'rejected' || status === 'unsupported') return 'refusal';
  if (details.some(({ resolution }) => resolution === 'provide_info')) return 'information';
  if (status === 'pending') return 'verification';
  const waits = ['determining_status', 'requirements_pending_verification'];
  return details.every(({ code }) => waits.includes(code)) ? 'verification' : 'refusal';
}

/** Puts each requirement once: Stripe lists the day, the month and the year of a birth separately. */
function distinct(requirements: readonly PayoutRequirement[]): PayoutRequirement[] {
  const byText = new Map<string, PayoutRequirement>();
  const urgency = ['later', 'now', 'overdue'];
  for (const requirement of requirements) {
    const known = byText.get(requirement.text);
    const first = known !== undefined && urgency.indexOf(known.due) >= urgency.indexOf(requirement.due);
    byText.set(requirement.text, {
      ...(first ? known : requirement),
      waitsFor: known?.waitsFor === 'seller' ? 'seller' : requirement.waitsFor,
      problems: [...new Set([...(known?.problems ?? []), ...requirement.problems])],
    });
  }
  return [...byText.values()];
}

/** An account of version 2 of Stripe's API, with its recipient configuration, identity and requirements. */
export const Account = z.pipe(
  z.object({
    id: Name,
    closed: optional(z.boolean()),
    identity: optional(z.object({ country: optional(z.string().check(z.regex(/^[A-Za-z]{2}$/))) })),
    configuration: optional(
      z.object({
        recipient: optional(
          z.object({
            capabilities: optional(
              z.object({
                stripe_balance: optional(
                  z.object({ stripe_transfers: optional(Capability), payouts: optional(Capability) }),
                ),
              }),
            ),
          }),
        ),
      }),
    ),
    requirements: optional(z.object({ entries: optional(z.array(Requirement)) })),
  }),
  z.transform((account): PayoutAccount => {
    const balance = account.configuration?.recipient?.capabilities?.stripe_balance;
    const transfers = balance?.stripe_transfers ?? missing;
    const payouts = balance?.payouts ?? missing;
    const isClosed = account.closed ?? false;
    return {
      accountId: account.id,
      country: account.identity?.country?.toUpperCase() ?? null,
      isClosed,
      transfers: isClosed ? 'restricted' : toStatus(transfers),
      payouts: isClosed ? 'restricted' : toStatus(payouts),
      blockedBy: isClosed ? 'refusal' : (blockedBy(transfers) ?? blockedBy(payouts)),
      requirements: distinct(account.requirements?.entries ?? []),
    };
  }),
);
