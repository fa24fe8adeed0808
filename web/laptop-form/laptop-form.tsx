import { type ReactNode, useEffect, useState } from 'react';
import { Controller, FormProvider, type UseFormSetValue } from 'react-hook-form';
import { href, useNavigate } from 'react-router';
import { readBrand } from '#contract/listings/catalogue.ts';
import { useDraft } from '../forms/draft.ts';
import { RequestForm, useRequestForm } from '../forms/request-form.tsx';
import { useRead } from '../requests/reads.ts';
import { usePerson, useSettings } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.tsx';
import { ConfigurationFields } from './configuration-fields.tsx';
import { Draft, type FormValues, formPathOf, validationErrors } from './form-values.ts';
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
  const [clearCount, setClearCount] = useState(0);
  const notDone = `The product was not ${texts.participle}`;
  const form = useRequestForm<FormValues>(send, {
    defaultValues: {
      ...initialValues,
      ...restored,
      // The brand may have been removed since.
      ...(restored !== null &&
        !brands.includes(restored.category_Id) && { category_Id: initialValues.category_Id }),
    },
    // It is among the default values.
    draft: { ...drafts, read: () => null },
    check: (values) => validationErrors(values, photos.ownHost),
    rename: formPathOf,
    failureTitle: ({ name }) =>
      `${name.trim()} was not ${texts.participle}, and your text is on ${texts.page}`,
    onClose: () => navigate(href('/dashboard/myProducts')),
  });
  const { control, failure, getValues, isSubmitting, setValue, reset, setFocus } = form;
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

  async function send(values: FormValues) {
    const images = await uploadAll(values.photo).catch((error: unknown) => {
      if (!(error instanceof UploadError)) throw error;
      // Each failed photo shows its own message.
      throw new Error('Not all of its photos were uploaded.', { cause: error });
    });
    await onSubmit(values, images);
    toast.success(texts.success(values.name.trim()));
  }

  function clear() {
    drafts.discard();
    props.onClear?.();
    setRestored(null);
    reset(initialValues);
    setClearCount(clearCount + 1);
  }

  return (
    <FormProvider {...form}>
      <div className="grid grid-cols-1 items-start gap-10 xl:grid-cols-[minmax(0,1fr)_19rem]">
        <RequestForm
          form={{ ...form, failure: failure && `${notDone}. ${failure} Everything you typed is still here.` }}
          method="post"
          submit={texts.submit}
          busy={texts.busy}
          buttonClass="w-full sm:w-auto"
          others={
            <Button variant="secondary" disabled={isSubmitting} onClick={clear} className="w-full sm:w-auto">
              {texts.clear}
            </Button>
          }
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
            render={({ field: photo }) => (
              <PhotoField
                value={photo.value}
                onChange={photo.onChange}
                inputRef={photo.ref}
                error={form.errors.photo?.message}
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
          <p className="text-muted text-sm">
            Your text stays in this tab until you submit it, clear it or sign out. Photos aren’t saved.
          </p>
        </RequestForm>
        <div className="hidden self-stretch xl:block">
          <LaptopPreview sellerName={person.name} sellerVerified={props.sellerVerified} />
        </div>
      </div>
    </FormProvider>
  );
}
