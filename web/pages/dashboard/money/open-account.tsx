import { useState } from 'react';
import { type PayoutAccount, type PayoutEntityType, payoutEntityTypes } from '#contract/money/payouts.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';

/** Countries to choose from; the card processor refuses those outside of the shop's region. */
const countries = ['US', 'CA', 'GB', 'IE', 'DE', 'AT', 'CH', 'FR', 'BE', 'NL', 'LU', 'ES', 'PT', 'IT', 'PL'];

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

const entityNames: Readonly<Record<PayoutEntityType, string>> = {
  individual: 'Myself',
  company: 'A company',
  non_profit: 'A non-profit organization',
  government_entity: 'A public authority',
};

/** What the card processor needs to know of a new account. */
export interface NewAccount {
  country: string;
  entityType: PayoutEntityType;
}

interface OpenAccountProps {
  account: PayoutAccount;
  busy: boolean;
  onOpen: (details: NewAccount) => void;
}

/** Leads to the card processor's page, where the seller opens the account or provides information. */
export function OpenAccount({ account, busy, onOpen }: OpenAccountProps) {
  const isNew = ['none', 'closed', 'refused'].includes(account.state);
  const [country, setCountry] = useState(account.country ?? 'US');
  const [entityType, setEntityType] = useState<PayoutEntityType>('individual');
  return (
    <form
      className="flex flex-wrap items-end gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onOpen({ country, entityType });
      }}
    >
      {isNew && (
        <>
          <Field label="You sell for">
            <Select
              value={entityType}
              onChange={({ target }) => {
                const chosen = payoutEntityTypes.find((type) => type === target.value);
                if (chosen !== undefined) setEntityType(chosen);
              }}
            >
              {payoutEntityTypes.map((type) => (
                <option key={type} value={type}>
                  {entityNames[type]}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Country of your bank account">
            <Select value={country} onChange={({ target }) => setCountry(target.value)}>
              {countries.map((code) => (
                <option key={code} value={code}>
                  {countryNames.of(code)}
                </option>
              ))}
            </Select>
          </Field>
        </>
      )}
      {account.state === 'active' && (
        <p className="w-full max-w-prose text-muted text-sm">
          When you open that page, the shop sends nothing to your account for the next 72 hours, because the
          bank account can be changed there.
        </p>
      )}
      <Button
        type="submit"
        variant={account.state === 'active' ? 'secondary' : 'primary'}
        busy={busy && 'Opening'}
      >
        {isNew ? 'Open an account' : account.state === 'active' ? 'Change my information' : 'Continue'}
      </Button>
    </form>
  );
}
