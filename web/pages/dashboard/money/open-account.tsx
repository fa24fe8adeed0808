import {
  type PayoutAccount,
  type PayoutEntityType,
  payoutEntityTypes,
  startOnboarding,
} from '#contract/money/payouts.ts';
import { countryName } from '../../../formats/country-name.ts';
import { useRecentSignIn } from '../../../forms/recent-sign-in.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { Field, Options, Select } from '../../../ui/field.tsx';

/** Countries to choose from; the card processor refuses those outside of the shop's region. */
const countries = ['US', 'CA', 'GB', 'IE', 'DE', 'AT', 'CH', 'FR', 'BE', 'NL', 'LU', 'ES', 'PT', 'IT', 'PL'];

const entityNames: Readonly<Record<PayoutEntityType, string>> = {
  individual: 'Myself',
  company: 'A company',
  non_profit: 'A non-profit organization',
  government_entity: 'A public authority',
};

/** Leads to the card processor's page, where the seller opens the account or provides information. */
export function OpenAccount({ account }: { account: PayoutAccount }) {
  const isNew = ['none', 'closed', 'refused'].includes(account.state);
  const { withRecentSignIn, dialog } = useRecentSignIn();
  const form = useWriteForm(startOnboarding, {
    defaultValues: { country: account.country ?? 'US', entityType: 'individual' },
    input: (body: { country: string; entityType: PayoutEntityType }) => ({ body }),
    around: withRecentSignIn,
    onSuccess: ({ url }) => {
      location.assign(url);
      // The button stays busy until the browser has left the page.
      return new Promise<never>(() => undefined);
    },
  });
  return (
    <>
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
            When you open that page, the shop sends nothing to your account for the next 72 hours, because the
            bank account can be changed there.
          </p>
        )}
      </RequestForm>
      {dialog}
    </>
  );
}
