import { useId } from 'react';
import { currency } from '#contract/platform/money.ts';
import { SmallButton } from '../../ui/button.tsx';
import type { PriceFields } from './use-price-fields.ts';

interface BoundProps {
  name: 'min_price' | 'max_price';
  label: string;
  value: string;
  onType: (value: string) => void;
  /** The id of the error message, if any. */
  error: string | undefined;
}

function Bound({ name, label, value, onType, error }: BoundProps) {
  return (
    <label className="relative min-w-22 flex-1">
      <span className="sr-only">
        {label} in {currency.name}
      </span>
      <span
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
        aria-hidden="true"
      >
        {currency.sign}
      </span>
      <input
        name={name}
        value={value}
        onChange={(event) => onType(event.target.value)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        placeholder={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error}
        className={`figures min-h-10 w-full rounded-lg border border-border-strong bg-surface pr-1 text-base text-foreground placeholder:text-muted aria-invalid:border-danger ${currency.sign[1] ? 'pl-12' : 'pl-6'}`}
      />
    </label>
  );
}

/**
 * The bounds of the price. They are applied by the button, by Enter, and when the focus leaves them. In the sheet, which has a
 * button of its own, this one is hidden; Enter still presses it.
 */
export function PriceFilter({ fields }: { fields: PriceFields }) {
  const id = useId();
  const error = fields.isInvalid ? id : undefined;
  return (
    <fieldset
      className="border-border border-t py-3"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) fields.apply();
      }}
    >
      <legend className="float-left mb-2 w-full font-semibold">Price</legend>
      <div className="clear-both flex flex-wrap items-center gap-1.5">
        <Bound
          name="min_price"
          label="From"
          value={fields.low}
          onType={(low) => fields.type({ low })}
          error={error}
        />
        <Bound
          name="max_price"
          label="To"
          value={fields.high}
          onType={(high) => fields.type({ high })}
          error={error}
        />
        <SmallButton type="submit" className="in-[[role=dialog]]:hidden min-h-10 px-2.5">
          Go<span className="sr-only">: apply the price</span>
        </SmallButton>
      </div>
      <p role="status" className="figures mt-1.5 text-muted text-sm empty:mt-0">
        {fields.understood}
      </p>
      <p id={id} role="alert" className="mt-1.5 text-danger text-sm empty:hidden">
        {fields.isInvalid && `Type whole ${currency.name}, such as 500.`}
      </p>
    </fieldset>
  );
}
