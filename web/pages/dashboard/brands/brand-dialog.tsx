import { useState } from 'react';
import { addBrand, changeBrand, type ShopBrand } from '#contract/listings/brands.ts';
import { PHOTO_ACCEPT } from '#contract/listings/photos.ts';
import { FormDialog, useRequestForm } from '../../../forms/request-form.tsx';
import { useObjectUrl } from '../../../laptop-form/use-object-url.ts';
import { usePhotoUploads } from '../../../laptop-form/use-photo-uploads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { SmallButton } from '../../../ui/button.tsx';
import { Field, FileInput, TextInput } from '../../../ui/field.tsx';

interface BrandDialogProps {
  /** The brand to edit; null for a new one. */
  brand: ShopBrand | null;
  onClose: () => void;
}

/** The logo: the present one, none, or a file that is uploaded with the form. */
type Logo = 'present' | 'none' | File;

/** Adds or edits a brand. */
export function BrandDialog({ brand, onClose }: BrandDialogProps) {
  const [logo, setLogo] = useState<Logo>(brand?.hasLogo === true ? 'present' : 'none');
  const { uploads, uploadAll } = usePhotoUploads();
  // The form shows failures.
  const onError = () => undefined;
  const add = useWrite(addBrand, { onError, done: (_, { body }) => `${body.name} is added.` });
  const change = useWrite(changeBrand, { onError, done: (_, { body }) => `${body.name} is changed.` });
  const form = useRequestForm<{ name: string }>(
    async ({ name }) => {
      const [image] = logo instanceof File ? await uploadAll([logo]) : [];
      if (brand === null) {
        await add.mutateAsync({ body: { name, ...(image !== undefined && { image }) } });
        return;
      }
      const changed = logo === 'none' ? null : image;
      await change.mutateAsync({
        params: { _id: brand._id },
        body: { name, hidden: brand.hidden, ...(changed !== undefined && { image: changed }) },
      });
    },
    {
      defaultValues: { name: brand?.category_Id ?? '' },
      check: ({ name }): Record<string, string> =>
        name.trim() === '' ? { name: 'Brand Name is required' } : {},
      failureTitle: 'The brand was not saved',
      onClose,
    },
  );
  const uploading = [...uploads.values()].find(({ status }) => status === 'uploading');
  return (
    <FormDialog
      form={form}
      title={brand === null ? 'Add a brand' : `Edit ${brand.category_Id}`}
      description={
        brand === null
          ? 'It is the last one at first, and sellers can choose it at once.'
          : 'With another name, its laptops and saved searches follow, and old addresses lead to the new one.'
      }
      submit="Save"
      busy={uploading?.status === 'uploading' ? `Uploading ${Math.round(uploading.percent)} %` : 'Saving'}
      onClose={onClose}
    >
      <Field label="Brand Name" {...form.field('name')}>
        <TextInput autoComplete="off" maxLength={60} required />
      </Field>
      <LogoField logo={logo} present={brand?.image ?? null} onChange={setLogo} />
    </FormDialog>
  );
}

interface LogoFieldProps {
  logo: Logo;
  /** The URL of the present logo. */
  present: string | null;
  onChange: (logo: Logo) => void;
}

function LogoField({ logo, present, onChange }: LogoFieldProps) {
  const chosen = useObjectUrl(logo instanceof File ? logo : null);
  const url = logo === 'present' ? present : chosen;
  return (
    <Field
      label="Logo"
      optional
      hint="A picture on a light ground, about 600 by 400 pixels. Without one, the brand’s initial is shown."
    >
      {url !== null && (
        <img src={url} alt="The logo" className="h-24 w-36 rounded-lg border border-border object-contain" />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <FileInput
          accept={PHOTO_ACCEPT}
          className={`max-w-full text-sm file:mr-3 file:min-h-9 file:rounded-lg file:border file:border-border-strong file:border-solid file:bg-surface file:px-3.5 file:font-semibold file:text-foreground ${url === null ? '' : 'text-transparent'}`}
          onFiles={([file]) => file !== undefined && onChange(file)}
        />
        {logo !== 'none' && <SmallButton onClick={() => onChange('none')}>Remove the logo</SmallButton>}
      </div>
    </Field>
  );
}
