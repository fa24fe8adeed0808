import { type ComponentProps, useId } from 'react';
import { currencyCodes, currencyLabel } from '#contract/platform/currencies.ts';
import { Select, TextInput } from '../../../ui/field.tsx';

/** The choice of the shop's currency. */
export function CurrencySelect(props: Omit<ComponentProps<typeof Select>, 'children'>) {
  return (
    <Select {...props}>
      {currencyCodes.map((code) => (
        <option key={code} value={code}>
          {currencyLabel(code)}
        </option>
      ))}
    </Select>
  );
}

/** A field for a time zone that suggests those that this browser knows. */
export function TimeZoneInput(props: ComponentProps<typeof TextInput>) {
  const id = useId();
  return (
    <>
      <TextInput list={id} autoComplete="off" spellCheck={false} {...props} />
      <datalist id={id}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
