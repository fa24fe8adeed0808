import { useState } from 'react';
import type { PayoutAccount } from '#contract/payouts.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';

/** Countries to choose from; the card processor refuses those outside of the shop's region. */
const countries = ['US', 'CA', 'GB', 'IE', 'DE', 'AT', 'CH', 'FR', 'BE', 'NL', 'LU', 'ES', 'PT', 'IT', 'PL'];

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

interface OpenAccountProps {
  account: PayoutAccount;
  busy: boolean;
  onOpen: (country: string) => void;
}

/** Leads to the card processor's page, where the seller opens the account or provides information. */
export function OpenAccount({ account, busy, onOpen }: OpenAccountProps) {
  const isNew = ['none', 'closed', 'refused'].includes(account.state);
  const [country, setCountry] = useState(account.country ?? 'US');
  return (
    <form
      className="flex flex-wrap items-end gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onOpen(country);
      }}
    >
      {isNew && (
        <Field label="Country of your bank account">
          <Select value={country} onChange={({ target }) => setCountry(target.value)}>
            {countries.map((code) => (
              <option key={code} value={code}>
                {countryNames.of(code)}
              </option>
            ))}
          </Select>
        </Field>
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
