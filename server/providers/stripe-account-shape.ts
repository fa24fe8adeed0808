// The schema of an account of Stripe Connect, and its requirements in words.
import * as z from 'zod/mini';
import type { PayoutRequirement } from '#contract/money/payouts.ts';
import type { CapabilityStatus, PayoutAccount } from '#server/money/payouts/payout-processor.ts';
import { Name } from './stripe-shapes.ts';

/** The names of requirements by the first parts of Stripe's paths, longest first. Ids of persons are left out. */
const requirementTexts: readonly (readonly [path: string, text: string])[] = [
  ['identity.individual.verification', 'A photo of an identity document'],
  ['identity.individual.documents', 'A photo of an identity document'],
  ['identity.individual.date_of_birth', 'Your date of birth'],
  ['identity.individual.address', 'Your address'],
  ['identity.individual.id_numbers', 'Your tax or identity number'],
  ['identity.individual.email', 'Your email address'],
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
    errors: z._default(z.nullish(z.array(z.object({ description: z.string() }))), []),
    minimum_deadline: z.nullish(z.object({ status: z.string() })),
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

const Capability = z.object({ status: z.string() });

/** Stripe calls a refused capability `rejected`, or `restricted`, and does not return one that was not granted. */
const capabilityStatuses: Readonly<Record<string, CapabilityStatus>> = {
  active: 'active',
  pending: 'pending',
  unsupported: 'unsupported',
};
const toStatus = (capability: z.infer<typeof Capability> | null | undefined): CapabilityStatus =>
  capabilityStatuses[capability?.status ?? ''] ?? 'restricted';

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

/** An account of version 2 of Stripe's API, with its recipient configuration and requirements. */
export const Account = z.pipe(
  z.object({
    id: Name,
    closed: z.nullish(z.boolean()),
    configuration: z.nullish(
      z.object({
        recipient: z.nullish(
          z.object({
            capabilities: z.nullish(
              z.object({
                stripe_balance: z.nullish(
                  z.object({ stripe_transfers: z.nullish(Capability), payouts: z.nullish(Capability) }),
                ),
              }),
            ),
          }),
        ),
      }),
    ),
    requirements: z.nullish(z.object({ entries: z.nullish(z.array(Requirement)) })),
  }),
  z.transform((account): PayoutAccount => {
    const balance = account.configuration?.recipient?.capabilities?.stripe_balance;
    const isClosed = account.closed ?? false;
    return {
      accountId: account.id,
      isClosed,
      transfers: isClosed ? 'restricted' : toStatus(balance?.stripe_transfers),
      payouts: isClosed ? 'restricted' : toStatus(balance?.payouts),
      requirements: distinct(account.requirements?.entries ?? []),
    };
  }),
);
