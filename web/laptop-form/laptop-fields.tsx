import { type Control, type FieldErrors, type UseFormRegister, useWatch } from 'react-hook-form';
import { conditions } from '#contract/listings/catalogue.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { AmountField } from '../forms/amount-field.tsx';
import { conditionDefinitions } from '../laptops/condition-definitions.ts';
import { useSettings } from '../session/session.tsx';
import { Field, Options, Select, TextArea, TextInput } from '../ui/field.tsx';
import { brandHint } from './brand-hint.ts';
import { DeliveryField } from './delivery-field.tsx';
import type { FormValues } from './form-values.ts';

export interface FieldsProps {
  register: UseFormRegister<FormValues>;
  control: Control<FormValues>;
  errors: FieldErrors<FormValues>;
}

/** The choice of the condition beside the definitions of all conditions. */
function ConditionField({
  register,
  control,
  errors,
  problem,
}: FieldsProps & { problem: string | undefined }) {
  const chosen = useWatch({ control, name: 'condition' });
  return (
    <Field
      label="Condition"
      error={errors.condition?.message}
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
      <Select {...register('condition')}>
        <Options values={conditions} />
      </Select>
    </Field>
  );
}

/** The choice of the brand, with a hint when the name begins with another one. */
function BrandField({ register, control, errors, brands }: FieldsProps & { brands: readonly string[] }) {
  const [name, brand] = useWatch({ control, name: ['name', 'category_Id'] });
  return (
    <Field
      label="Brand"
      error={errors.category_Id?.message}
      className="sm:col-span-2"
      hint={brandHint(name, brand, brands)}
    >
      <Select {...register('category_Id')}>
        <Options values={brands} />
      </Select>
    </Field>
  );
}

interface LaptopFieldsProps extends FieldsProps {
  /** The choices. */
  brands: readonly string[];
  /** Why the condition contradicts a measurement. */
  conditionProblem: string | undefined;
}

/** The required fields of a laptop, except its photos and description. */
export function LaptopFields({ register, control, errors, brands, conditionProblem }: LaptopFieldsProps) {
  const { leastPrice } = useSettings().selling;
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
      <Field label="Product Name" error={errors.name?.message} className="sm:col-span-2">
        <TextInput autoComplete="off" placeholder="HP EliteBook 840 G8" {...register('name')} />
      </Field>
      <BrandField register={register} control={control} errors={errors} brands={brands} />
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
      <ConditionField register={register} control={control} errors={errors} problem={conditionProblem} />
      <Field label="Use Time" error={errors.useTime?.message} className="sm:col-span-2">
        <TextInput autoComplete="off" placeholder="1 year 6 months" {...register('useTime')} />
      </Field>
      <Field label="Location" error={errors.location?.message}>
        <TextInput autoComplete="address-level2" {...register('location')} />
      </Field>
      <Field label="Mobile Number" error={errors.number?.message}>
        <TextInput type="tel" inputMode="tel" autoComplete="tel" {...register('number')} />
      </Field>
      <DeliveryField register={register} control={control} errors={errors} />
    </div>
  );
}

/** A component, so that the fields register in display order: the first invalid one is focused. */
export function DescriptionField({ register, errors }: Omit<FieldsProps, 'control'>) {
  return (
    <Field
      label="Description"
      error={errors.description?.message}
      hint="What it was used for, what is worn, what comes with it"
    >
      <TextArea rows={5} {...register('description')} />
    </Field>
  );
}
