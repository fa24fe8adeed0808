import { useEffect, useState } from 'react';
import { Controller, type FieldErrors, type Resolver, type UseFormRegister, useForm } from 'react-hook-form';
import { href, useNavigate } from 'react-router';
import { conditions } from '#contract/catalogue.ts';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useFailureToast } from '../../../session/failure-toast.ts';
import { usePerson, useSettings } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Select, TextArea, TextInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useMounted } from '../../../ui/use-mounted.ts';
import { ConfigurationFields } from './configuration-fields.tsx';
import { createDraftStorage } from './draft-storage.ts';
import { emptyValues, type FormValues, formFieldOf, validationErrors } from './form-values.ts';
import { PhotoField } from './photo-field.tsx';
import { UploadError } from './upload-photo.ts';
import { useAddLaptop } from './use-add-laptop.ts';

interface SectionProps {
  register: UseFormRegister<FormValues>;
  errors: FieldErrors<FormValues>;
}

function LaptopFields({ register, errors, brands }: SectionProps & { brands: readonly string[] }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Product Name" error={errors.name?.message} className="sm:col-span-2">
        <TextInput autoComplete="off" placeholder="HP EliteBook 840 G8" {...register('name')} />
      </Field>
      <Field label="Brand" error={errors.category_Id?.message} className="sm:col-span-2">
        <Select {...register('category_Id')}>
          {brands.map((brand) => (
            <option key={brand}>{brand}</option>
          ))}
        </Select>
      </Field>
      <Field
        label="Original Price"
        error={errors.original_price?.message}
        hint="What it cost when new, in dollars"
      >
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          className="figures"
          {...register('original_price')}
        />
      </Field>
      <Field label="Resale Price" error={errors.resale_price?.message} hint="What you ask for it, in dollars">
        <TextInput inputMode="decimal" autoComplete="off" className="figures" {...register('resale_price')} />
      </Field>
      <Field label="Condition" error={errors.condition?.message}>
        <Select {...register('condition')}>
          {conditions.map((condition) => (
            <option key={condition}>{condition}</option>
          ))}
        </Select>
      </Field>
      <Field label="Use Time" error={errors.useTime?.message}>
        <TextInput autoComplete="off" placeholder="1 year 6 months" {...register('useTime')} />
      </Field>
      <Field label="Location" error={errors.location?.message}>
        <TextInput autoComplete="address-level2" {...register('location')} />
      </Field>
      <Field label="Mobile Number" error={errors.number?.message}>
        <TextInput type="tel" inputMode="tel" autoComplete="tel" {...register('number')} />
      </Field>
    </div>
  );
}

/** A component, so that the fields register in display order: the first invalid one is focused. */
function DescriptionField({ register, errors }: SectionProps) {
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

/** Why a laptop was not added, as a sentence. Each failed photo shows its own message. */
function failureReason(error: unknown): string {
  if (error instanceof UploadError)
    return 'The product was not added because not all of its photos were uploaded.';
  return errorMessage(error);
}

/** The form that lists a laptop. It keeps its values after a failure. @param props.brands the first is the default */
export function AddForm({ brands }: { brands: readonly string[] }) {
  const navigate = useNavigate();
  const { photos } = useSettings();
  const adding = useAddLaptop();
  const { email } = usePerson();
  const [drafts] = useState(() => createDraftStorage(email, () => sessionStorage));
  const [restored, setRestored] = useState(drafts.read);
  const [failure, setFailure] = useState<string | null>(null);
  const [clearCount, setClearCount] = useState(0);
  const isMounted = useMounted();
  const toastFailure = useFailureToast();
  const empty: FormValues = { ...emptyValues, category_Id: brands[0] ?? '' };
  const resolver: Resolver<FormValues> = (answers) => {
    const problems = Object.entries(validationErrors(answers, photos.ownHost));
    if (problems.length === 0) return { values: answers, errors: {} };
    const errors = problems.map(([field, message]) => [field, { type: 'contract', message }]);
    return { values: {}, errors: Object.fromEntries(errors) };
  };
  const form = useForm<FormValues>({
    defaultValues: {
      ...empty,
      ...restored,
      // The brand may have been removed since.
      ...(restored !== null && !brands.includes(restored.category_Id) && { category_Id: empty.category_Id }),
    },
    resolver,
  });
  const { register, control, handleSubmit, getValues, reset, setFocus, formState } = form;
  const { errors, isSubmitting } = formState;

  useEffect(() => {
    // In an effect: after a reset the fields are registered in the next render.
    if (clearCount > 0) setFocus('name');
  }, [clearCount, setFocus]);

  function fail(error: unknown) {
    applyProblem(form, error, formFieldOf);
    setFailure(`${failureReason(error)} Everything you typed is still here.`);
  }

  const submit = handleSubmit(async (answers) => {
    setFailure(null);
    try {
      await adding.add(answers);
    } catch (error) {
      if (isMounted()) fail(error);
      else
        toastFailure(
          `${answers.name.trim()} was not added. ${failureReason(error)} Your text is on Add Product.`,
        );
      return;
    }
    toast.success(`${answers.name.trim()} is added successfully`);
    if (isMounted()) {
      drafts.discard();
      await navigate(href('/dashboard/myProducts'));
    } else drafts.discard(answers);
  });

  function clear() {
    drafts.discard();
    adding.discardKey();
    setRestored(null);
    setFailure(null);
    reset(empty);
    setClearCount(clearCount + 1);
  }

  return (
    <form
      method="post"
      onSubmit={submit}
      onChange={() => drafts.save(getValues())}
      noValidate
      className="flex max-w-3xl flex-col gap-5"
    >
      {restored !== null && (
        <p role="status" className="rounded-lg bg-orange-soft px-4 py-3">
          Your text was restored. Photos cannot be stored: please choose them again.
        </p>
      )}
      <LaptopFields register={register} errors={errors} brands={brands} />
      <Controller
        key={clearCount}
        name="photo"
        control={control}
        render={({ field }) => (
          <PhotoField
            value={field.value}
            onChange={field.onChange}
            inputRef={field.ref}
            error={errors.photo?.message}
            uploads={adding.uploads}
            busy={isSubmitting}
            onRetry={adding.retry}
          />
        )}
      />
      <DescriptionField register={register} errors={errors} />
      <ConfigurationFields
        key={`configuration ${clearCount}`}
        register={register}
        control={control}
        errors={errors}
      />
      {failure !== null && (
        <p role="alert" className="rounded-lg bg-red-soft px-4 py-3">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isSubmitting && 'Adding....'} className="w-full sm:w-auto">
          Add Product
        </Button>
        <Button variant="secondary" disabled={isSubmitting} onClick={clear} className="w-full sm:w-auto">
          Clear the form
        </Button>
      </div>
      <p className="text-quiet text-sm">
        Your text is stored in this tab until you add or clear it, also when you have to sign in again. Photos
        are not stored.
      </p>
    </form>
  );
}
