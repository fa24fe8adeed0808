import { useWatch } from 'react-hook-form';
import { conditions } from '#contract/listings/catalogue.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { AmountField } from '../forms/amount-field.tsx';
import { conditionDefinitions } from '../laptops/condition-definitions.ts';
import { useSettings } from '../session/session.tsx';
import { Field, Options, Select, TextArea, TextInput } from '../ui/field.tsx';
import { brandHint } from './brand-hint.ts';
import { DeliveryField } from './delivery-field.tsx';
import { useLaptopForm } from './use-laptop-form.ts';

/** The choice of the condition beside the definitions of all conditions. */
function ConditionField({ problem }: { problem: string | undefined }) {
  const { control, field } = useLaptopForm();
  const chosen = useWatch({ control, name: 'condition' });
  return (
    <Field
      label="Condition"
      {...field('condition')}
      className="sm:col-span-2"
      hint={
        <span className="flex flex-col gap-1.5">
          {conditions.map((condition) => (
            <span
              key={condition}
              className={condition === chosen ? 'border-accent border-l-3 pl-3 text-foreground' : 'pl-3.75'}
            >
              <strong className="font-semibold">{condition}</strong>: {conditionDefinitions[condition]}
            </span>
          ))}
          {problem !== undefined && <span className="text-danger">{problem}</span>}
        </span>
      }
    >
      <Select>
        <Options values={conditions} />
      </Select>
    </Field>
  );
}

/** The choice of the brand, with a hint when the name begins with another one. */
function BrandField({ brands }: { brands: readonly string[] }) {
  const { control, field } = useLaptopForm();
  const [name, brand] = useWatch({ control, name: ['name', 'category_Id'] });
  return (
    <Field
      label="Brand"
      {...field('category_Id')}
      className="sm:col-span-2"
      hint={brandHint(name, brand, brands)}
    >
      <Select>
        <Options values={brands} />
      </Select>
    </Field>
  );
}

interface LaptopFieldsProps {
  /** The choices. */
  brands: readonly string[];
  /** Why the condition contradicts a measurement. */
  conditionProblem: string | undefined;
}

/** The required fields of a laptop, except its photos and description. */
export function LaptopFields({ brands, conditionProblem }: LaptopFieldsProps) {
  const { control, field } = useLaptopForm();
  const { leastPrice } = useSettings().selling;
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
      <Field label="Product Name" {...field('name')} className="sm:col-span-2">
        <TextInput autoComplete="off" placeholder="HP EliteBook 840 G8" />
      </Field>
      <BrandField brands={brands} />
      <AmountField
        control={control}
        name="original_price"
        label="Original Price"
        hint="What it cost when new"
      />
      <AmountField
        control={control}
        name="resale_price"
        label="Resale Price"
        hint={`What you ask for it, at least ${formatAmount(leastPrice)}`}
      />
      <ConditionField problem={conditionProblem} />
      <Field label="Use Time" {...field('useTime')} className="sm:col-span-2">
        <TextInput autoComplete="off" placeholder="1 year 6 months" />
      </Field>
      <Field label="Location" {...field('location')}>
        <TextInput autoComplete="address-level2" />
      </Field>
      <Field label="Mobile Number" {...field('number')}>
        <TextInput type="tel" inputMode="tel" autoComplete="tel" />
      </Field>
      <DeliveryField />
    </div>
  );
}

/** A component, so that the fields register in display order: the first invalid one is focused. */
export function DescriptionField() {
  const { field } = useLaptopForm();
  return (
    <Field
      label="Description"
      {...field('description')}
      hint="What it was used for, what is worn, what comes with it"
    >
      <TextArea rows={5} />
    </Field>
  );
}
