import { useEffect, useId, useState } from 'react';
import { PHOTO_ACCEPT } from '#contract/photos.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';

interface PhotoFieldProps {
  value: File | null;
  onChange: (photo: File | null) => void;
  /** Lets the form put the focus here when the photo is missing. */
  inputRef: (input: HTMLInputElement | null) => void;
  error: string | undefined;
  /** Per cent uploaded; null when nothing is being uploaded. */
  progress: number | null;
}

/** The chosen photo as a picture, when the browser can show it. */
function Preview({ photo }: { photo: File }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(photo);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [photo]);
  if (url === null) return null;
  return (
    <img
      src={url}
      alt="What buyers will see"
      // Some phones take pictures that browsers cannot show; the image host can.
      onError={() => setUrl(null)}
      className="aspect-4/3 w-full rounded-lg bg-sunken object-contain sm:w-64"
    />
  );
}

/** A photo to choose, its preview, and how far its upload has come. */
export function PhotoField({ value, onChange, inputRef, error, progress }: PhotoFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold text-sm">
        Product Photo
      </label>
      <div
        className={`flex flex-col items-start gap-3 rounded-lg border border-dashed p-4 ${error === undefined ? 'border-edge' : 'border-red'}`}
      >
        {value !== null && <Preview photo={value} />}
        <input
          id={id}
          ref={inputRef}
          type="file"
          name="photo"
          accept={PHOTO_ACCEPT}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-hint ${id}-error`}
          onChange={(event) => {
            const [photo] = event.target.files ?? [];
            // Closing the chooser without choosing keeps what was chosen before.
            if (photo !== undefined) onChange(photo);
          }}
          className="max-w-full text-sm file:mr-4 file:min-h-11 file:cursor-pointer file:rounded-lg file:border file:border-edge file:border-solid file:bg-surface file:px-4 file:font-semibold file:text-ink hover:file:bg-sunken"
        />
        {progress !== null && (
          <div className="w-full">
            <ProgressBar label="Uploading the photo" value={progress} className="rounded-full" />
            <p className="figures mt-1 text-quiet text-sm">
              {progress < 100 ? `Uploading the photo: ${Math.round(progress)} %` : 'Preparing the photo'}
            </p>
          </div>
        )}
      </div>
      <p id={`${id}-hint`} className="text-quiet text-sm">
        JPEG, PNG, WebP, AVIF or HEIC, at most 12 MB. Where it was taken is removed from it.
      </p>
      <p id={`${id}-error`} role="alert" className="text-red text-sm empty:hidden">
        {error}
      </p>
    </div>
  );
}
