import { type ReactNode, useEffect, useState } from 'react';
import { Controller, FormProvider, type Resolver, type UseFormSetValue, useForm } from 'react-hook-form';
import { href, useNavigate } from 'react-router';
import { readBrand } from '#contract/listings/catalogue.ts';
import { applyProblem } from '../forms/apply-problem.ts';
import { useDraft } from '../forms/draft.ts';
import { errorMessage } from '../requests/error-message.ts';
import { useRead } from '../requests/reads.ts';
import { usePerson, useSessionStore, useSettings } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { toast } from '../ui/toast.tsx';
import { useMounted } from '../ui/use-mounted.ts';
import { ConfigurationFields } from './configuration-fields.tsx';
import { Draft, type FormValues, formFieldOf, validationErrors } from './form-values.ts';
import { DescriptionField, LaptopFields } from './laptop-fields.tsx';
import { LaptopPreview } from './laptop-preview.tsx';
import type { FormMeasurement } from './measured-differences.ts';
import { MeasuredVerdict } from './measured-notes.tsx';
import { PhotoField } from './photo-field.tsx';
import type { SlipCode } from './slip-code.tsx';
import { UploadError } from './upload-photo.ts';
import { useMeasuredValues } from './use-measured-values.ts';
import { usePhotoUploads } from './use-photo-uploads.ts';

/** The texts that differ between the pages with this form. */
export interface LaptopFormTexts {
  /** The submit button, also while it is pending. */
  submit: string;
  busy: string;
  /** The button that restores the initial values. */
  clear: string;
  /** The participle of a failure: "The product was not `added`." */
  participle: string;
  /** The title of the page, which still has the text after a failure. */
  page: string;
  /** The toast after success. */
  success: (name: string) => string;
}

interface LaptopFormProps {
  /** The first replaces a brand that no longer exists. */
  brands: readonly string[];
  /** The values before anything is typed. Clearing the form restores them. */
  initialValues: FormValues;
  /** Names the draft in sessionStorage. */
  draftKey: string;
  texts: LaptopFormTexts;
  /** Whether the seller is verified, for the preview. */
  sellerVerified: boolean;
  /** Sends the laptop. @param images the URL of each photo, in display order. Its errors are shown in the form. */
  onSubmit: (values: FormValues, images: readonly string[]) => Promise<void>;
  onClear?: () => void;
  /** The code for a photo with a slip. */
  slip: SlipCode;
  /** Shown above the submit button, such as the consequences of the values. What `change` sets is kept as if it was typed. */
  renderNote?: (form: { change: UseFormSetValue<FormValues>; clear: () => void }) => ReactNode;
  /** The laptop's measurement; null without one. */
  measurement: FormMeasurement | null;
  /** Whether a measurement that arrives fills the empty fields; else only when the seller asks for it. */
  fillsEmptyFields?: boolean;
  /** Shown above the form, of which it can fill in a part: how to measure the laptop. */
  measuring: ReactNode;
}

/**
 * The form of a laptop, with its photos and a preview. It keeps its values after a failure, and its texts as a draft until
 * they are submitted or cleared.
 */
export function LaptopForm(props: LaptopFormProps) {
  const { brands, initialValues, draftKey, texts, onSubmit } = props;
  const navigate = useNavigate();
  const { photos } = useSettings();
  const { uploads, retry, uploadAll } = usePhotoUploads();
  const person = usePerson();
  const drafts = useDraft(draftKey, Draft);
  const [restored, setRestored] = useState(drafts.read);
  const [failure, setFailure] = useState<string | null>(null);
  const [clearCount, setClearCount] = useState(0);
  const isMounted = useMounted();
  const session = useSessionStore();
  const resolver: Resolver<FormValues> = (answers) => {
    const problems = Object.entries(validationErrors(answers, photos.ownHost));
    if (problems.length === 0) return { values: answers, errors: {} };
    const errors = problems.map(([field, message]) => [field, { type: 'contract', message }]);
    return { values: {}, errors: Object.fromEntries(errors) };
  };
  const form = useForm<FormValues>({
    defaultValues: {
      ...initialValues,
      ...restored,
      // The brand may have been removed since.
      ...(restored !== null &&
        !brands.includes(restored.category_Id) && { category_Id: initialValues.category_Id }),
    },
    resolver,
  });
  const { control, handleSubmit, getValues, setValue, reset, setFocus, formState } = form;
  const { errors, isSubmitting } = formState;
  // The brand of a restored text may have been renamed or merged since.
  const restoredBrand = restored?.category_Id ?? '';
  const { data: found } = useRead(
    readBrand,
    { params: { id: restoredBrand } },
    { enabled: restoredBrand !== '' && !brands.includes(restoredBrand) },
  );
  const presentBrand = brands.find((brand) => brand === found?.category_Id);
  useEffect(() => {
    if (presentBrand !== undefined) setValue('category_Id', presentBrand);
  }, [presentBrand, setValue]);
  const save = () => drafts.save(getValues());
  const change: UseFormSetValue<FormValues> = (...given) => {
    setValue(...given);
    save();
  };
  const measured = useMeasuredValues({
    form,
    change,
    measurement: props.measurement,
    fillsEmptyFields: props.fillsEmptyFields ?? true,
  });

  useEffect(() => {
    // In an effect: after a reset the fields are registered in the next render.
    if (clearCount > 0) setFocus('name');
  }, [clearCount, setFocus]);

  /** Why the laptop was not saved, as a sentence. Each failed photo shows its own message. */
  function failureReason(error: unknown): string {
    if (error instanceof UploadError)
      return `The product was not ${texts.participle} because not all of its photos were uploaded.`;
    return errorMessage(error);
  }

  function fail(error: unknown) {
    applyProblem(form, error, (path) => formFieldOf(path) ?? path);
    setFailure(`${failureReason(error)} Everything you typed is still here.`);
  }

  const submit = handleSubmit(async (answers) => {
    const name = answers.name.trim();
    setFailure(null);
    try {
      await onSubmit(answers, await uploadAll(answers.photo));
    } catch (error) {
      if (isMounted()) fail(error);
      // After the end of a session the login page gives the reason.
      else if (session.read().status === 'signed-in')
        toast.error(
          `${name} was not ${texts.participle}. ${failureReason(error)} Your text is on ${texts.page}.`,
        );
      return;
    }
    toast.success(texts.success(name));
    if (isMounted()) {
      drafts.discard();
      await navigate(href('/dashboard/myProducts'));
    } else drafts.discard(answers);
  });

  function clear() {
    drafts.discard();
    props.onClear?.();
    setRestored(null);
    setFailure(null);
    reset(initialValues);
    setClearCount(clearCount + 1);
  }

  return (
    <FormProvider {...form}>
      <div className="grid grid-cols-1 items-start gap-10 xl:grid-cols-[minmax(0,1fr)_19rem]">
        <form
          method="post"
          onSubmit={submit}
          onChange={save}
          noValidate
          className="flex max-w-3xl flex-col gap-5"
        >
          {restored !== null && (
            <Notice tone="info" role="status">
              Your text was restored. Photos{initialValues.photo.length > 0 && ' that you added'} cannot be
              stored: please choose them again.
            </Notice>
          )}
          {props.measuring}
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
                uploads={uploads}
                busy={isSubmitting}
                onRetry={retry}
                slip={props.slip}
              />
            )}
          />
          <LaptopFields brands={brands} conditionProblem={measured?.conditionProblem} />
          <DescriptionField />
          <p role="status" className="sr-only">
            {measured?.announcement}
          </p>
          <ConfigurationFields key={`configuration ${clearCount}`} measured={measured} />
          {props.renderNote?.({ change, clear })}
          <MeasuredVerdict measured={measured} />
          {failure !== null && <ProblemNotice>{failure}</ProblemNotice>}
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={isSubmitting && texts.busy} className="w-full sm:w-auto">
              {texts.submit}
            </Button>
            <Button variant="secondary" disabled={isSubmitting} onClick={clear} className="w-full sm:w-auto">
              {texts.clear}
            </Button>
          </div>
          <p className="text-muted text-sm">
            Your text stays in this tab until you submit or clear it, even if you sign in again. Photos aren’t
            saved.
          </p>
        </form>
        <div className="hidden self-stretch xl:block">
          <LaptopPreview sellerName={person.name} sellerVerified={props.sellerVerified} />
        </div>
      </div>
    </FormProvider>
  );
}
