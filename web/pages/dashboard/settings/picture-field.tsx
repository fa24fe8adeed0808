import { useState } from 'react';
import { MAXIMUM_PICTURE_BYTES, uploadShopPicture } from '#contract/operations/settings.ts';
import { shopPicturePath } from '#contract/platform/shop-picture-path.ts';
import type { ShopPicture, ShopPictureKind } from '#contract/platform/shop-settings.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { SmallButton } from '../../../ui/button.tsx';
import { Field, FileInput } from '../../../ui/field.tsx';

interface PictureFieldProps {
  kind: ShopPictureKind;
  label: string;
  hint: string;
  picture: ShopPicture | null;
  /** A refusal of the settings because of this picture. */
  error: string | undefined;
  onChange: (picture: ShopPicture | null) => void;
}

/** The bytes of a file in base64. */
async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Uploads a picture at once. The settings show it after they were saved. */
export function PictureField({ kind, label, hint, picture, error, onChange }: PictureFieldProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const upload = useWrite(uploadShopPicture, {
    onSuccess: onChange,
    onError: ({ message }) => setFailure(message),
  });
  async function choose(file: File | undefined) {
    if (file === undefined) return;
    setFailure(null);
    if (file.size > MAXIMUM_PICTURE_BYTES) {
      setFailure('A picture can have at most 700 kB. Please choose a smaller one.');
      return;
    }
    upload.mutate({ body: { kind, data: await toBase64(file) } });
  }
  return (
    <Field
      label={label}
      error={failure ?? error}
      hint={<span role="status">{upload.isPending ? 'Uploading the picture…' : hint}</span>}
      className="min-w-0"
    >
      {picture !== null && (
        <div className="flex flex-wrap items-center gap-3">
          <img
            src={shopPicturePath(picture)}
            width={picture.width}
            height={picture.height}
            alt={`${label} at the moment`}
            className="h-16 w-auto max-w-full rounded-lg border border-border object-contain"
          />
          <SmallButton variant="quiet" onClick={() => onChange(null)}>
            Remove<span className="sr-only"> the {label.toLowerCase()}</span>
          </SmallButton>
        </div>
      )}
      <FileInput
        name={kind}
        accept="image/png,image/webp,image/jpeg"
        disabled={upload.isPending}
        onFiles={([file]) => void choose(file)}
        className="min-h-11 w-full rounded-lg border border-border-strong bg-surface p-2 file:mr-3 file:rounded-md file:border-0 file:bg-subtle file:px-3 file:py-1.5 file:font-semibold file:text-foreground"
      />
    </Field>
  );
}
