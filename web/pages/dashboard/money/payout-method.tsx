import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { deadlineDays } from '#contract/money/order-states.ts';
import {
  type PayoutMethod as Method,
  type PayoutAccount,
  type PayoutEntityType,
  payoutEntityTypes,
  readPayoutAccount,
  refreshPayoutAccount,
  startOnboarding,
} from '#contract/money/payouts.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import type { PayoutAfter } from '#contract/platform/shop-settings.ts';
import { countryName } from '../../../formats/country-name.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { UnconfirmedEmail, useUnconfirmedEmail } from '../../../forms/unconfirmed-email.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { useSettings } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { Field, FormFailure, Options, Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/section.tsx';

/**
 * Where Stripe opens accounts (https://stripe.com/global), by name. It refuses those that cannot be paid from the shop's country.
 */
const countries =
  'AE AT AU BE BG BR CA CH CY CZ DE DK EE ES FI FR GB GI GR HK HR HU IE IN IT JP LI LT LU LV MT MX MY NL NO NZ PL PT RO SE SG SI SK TH US'
    .split(' ')
    .toSorted((one, other) => countryName(one).localeCompare(countryName(other), 'en'));

const entityNames: Readonly<Record<PayoutEntityType, string>> = {
  individual: 'Myself',
  company: 'A company',
  non_profit: 'A non-profit organization',
  government_entity: 'A public authority',
};

/** Leads to the card processor's page, where the seller opens the account or provides information. */
function OpenAccount({ account }: { account: PayoutAccount }) {
  const unconfirmedEmail = useUnconfirmedEmail();
  // The shop's own country, unless the owner has named others.
  const [shopCountry = 'US'] = useSettings().shippingCountries;
  const isNew = ['none', 'closed', 'refused'].includes(account.state);
  const form = useWriteForm(startOnboarding, {
    defaultValues: { country: account.country ?? shopCountry, entityType: 'individual' },
    input: (body: { country: string; entityType: PayoutEntityType }) => ({ body }),
    onSuccess: ({ url }) => {
      location.assign(url);
      // The button stays busy until the browser has left the page.
      return new Promise<never>(() => undefined);
    },
  });
  if (unconfirmedEmail !== null) {
    return (
      <UnconfirmedEmail email={unconfirmedEmail}>
        Before you open an account, please confirm your email address.
      </UnconfirmedEmail>
    );
  }
  return (
    <RequestForm
      form={form}
      submit={isNew ? 'Open an account' : account.state === 'active' ? 'Change my information' : 'Continue'}
      busy="Opening"
      variant={account.state === 'active' ? 'secondary' : 'primary'}
      className="flex flex-col items-start gap-4"
    >
      {isNew && (
        <div className="flex flex-wrap items-start gap-4">
          <Field label="You sell for" {...form.field('entityType')}>
            <Select>
              <Options values={payoutEntityTypes} label={(type) => entityNames[type]} />
            </Select>
          </Field>
          <Field label="Country of your bank account" {...form.field('country')}>
            <Select>
              <Options values={countries} label={countryName} />
            </Select>
          </Field>
        </div>
      )}
      {account.state === 'active' && (
        <p className="max-w-prose text-muted text-sm">
          You change it on the card processor’s page. When you open that page, the shop sends nothing to your
          account for the next 72 hours, because the bank account can be changed there.
        </p>
      )}
    </RequestForm>
  );
}

const states = {
  none: { tone: 'neutral', label: 'No account yet' },
  creating: { tone: 'neutral', label: 'Not opened yet' },
  active: { tone: 'good', label: 'Ready' },
  pending: { tone: 'warm', label: 'Being checked' },
  restricted: { tone: 'bad', label: 'Information is missing' },
  unsupported: { tone: 'bad', label: 'Not possible in your country' },
  closed: { tone: 'bad', label: 'Closed' },
  refused: { tone: 'bad', label: 'Refused' },
} as const satisfies Record<PayoutAccount['state'], { tone: string; label: string }>;

function Requirements({ account }: { account: PayoutAccount }) {
  if (account.requirements.length === 0) return null;
  return (
    <div>
      <p className="font-semibold">The card processor needs:</p>
      <ul className="mt-1 flex list-disc flex-col gap-1 pl-5">
        {account.requirements.map(({ text, due, waitsFor, problems }) => (
          <li key={text}>
            {text}
            {waitsFor === 'processor' ? ', which it is checking' : due === 'later' ? ', later' : ''}
            {problems.map((problem) => (
              <span key={problem} className="block text-danger">
                {problem}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What keeps the money from arriving. */
function Problems({ account: { problem, refusedTransfer, failedPayout } }: { account: PayoutAccount }) {
  return (
    <>
      {problem !== '' && <Notice tone="problem">{problem}</Notice>}
      {refusedTransfer !== null && (
        <Notice tone="problem">
          The last transfer was refused. {refusedTransfer} Your money is kept, and the shop tries again by
          itself.
        </Notice>
      )}
      {failedPayout !== null && (
        <Notice tone="problem">
          The payout of {formatAmount(failedPayout.amount)} to your bank has failed: {failedPayout.reason} The
          money is in your account at the card processor. Please check your bank account there.
        </Notice>
      )}
    </>
  );
}

/** When the money of a sale is sent to the seller's account. */
const transferTimes: Record<PayoutAfter, string> = {
  completed:
    'The money of a sale is sent to your account when the time for complaints about it is over, and from there to your bank.',
  release: 'The money of released sales is sent to your account, and from there to your bank.',
};

/** When the shop pays a seller from its bank account. */
const handPaymentTimesOf = (): Record<PayoutAfter, string> => ({
  completed: `The shop pays you from its bank account when the time for complaints about a sale is over: ${deadlineDays('released')} days after you entered the buyer’s code, or after the buyer confirmed.`,
  release:
    'The shop pays you from its bank account when a sale is released: when you enter the buyer’s code, or when the buyer confirms.',
});

function Account({ account }: { account: Method }) {
  const [search, setSearch] = useSearchParams();
  const refreshing = useWrite(refreshPayoutAccount, { onError: () => undefined, untilRead: true });
  const { mutate: refresh } = refreshing;
  const returned = search.get('onboarding');
  useEffect(() => {
    if (returned === null) return;
    refresh({});
    setSearch({}, { replace: true });
  }, [returned, refresh, setSearch]);
  const { state } = account;
  return (
    <div className="mt-3 flex flex-col items-start gap-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>
          Your account at the card processor: <Badge tone={states[state].tone}>{states[state].label}</Badge>
        </span>
        {account.country !== null && (
          <SmallButton variant="quiet" onClick={() => refresh({})} busy={refreshing.isPending && 'Checking'}>
            Check again
          </SmallButton>
        )}
      </p>
      <p className="max-w-prose text-muted">
        {state === 'active'
          ? transferTimes[account.payoutAfter]
          : state === 'unsupported'
            ? 'The card processor cannot pay to your country. Your money is kept for you; write to the shop, which can pay you from its bank account.'
            : 'The money of your sales is kept for you. Open your account at the card processor and give it your bank account; the shop then sends what is due.'}
      </p>
      {account.transfersPausedUntil !== null && (
        <Notice tone="info">
          Your bank account was changed, or may have been. To keep your money safe, the shop sends nothing to
          your account until <DateTime at={account.transfersPausedUntil} />. If you did not do this, change
          your password and write to the shop.
        </Notice>
      )}
      <Problems account={account} />
      <Requirements account={account} />
      {state !== 'unsupported' && <OpenAccount account={account} />}
      <FormFailure message={refreshing.error?.message ?? null} />
    </div>
  );
}

/** The id of the section. */
export const PAYOUT_METHOD = 'payout-method';

/** How the seller is paid: by hand, or through an account at the card processor, with what it needs. */
export function PayoutMethod() {
  const account = useRead(readPayoutAccount, {}, { refetchOnMount: 'always' });
  return (
    <Section title="How you are paid" id={PAYOUT_METHOD} className="card">
      <QueryView query={account} what="how you are paid" skeleton="mt-3 h-24">
        {(data) =>
          data.method === 'card_processor' ? (
            <Account account={data} />
          ) : (
            <p className="mt-2 max-w-prose">
              {handPaymentTimesOf()[data.payoutAfter]} Without a word from the buyer, a sale is released when
              its time is over. You get an email with the bank’s reference. The shop asks you for your bank
              account by email before the first payment.
            </p>
          )
        }
      </QueryView>
    </Section>
  );
}
