import { useRef, useState } from 'react';
import { MAXIMUM_PHOTO_SIZE, PHOTO_ACCEPT } from '#contract/listings/photos.ts';
import { Button } from '../ui/button.tsx';
import { Field, FileInput } from '../ui/field.tsx';
import { appendPhotos, type FormPhoto, photoId } from './photo-list.ts';
import { FilePreview, UploadStatus } from './photo-tile.tsx';
import type { PhotoUpload } from './use-photo-uploads.ts';

interface AttachedPhotosProps {
  label: string;
  /** Who sees the photos, as a sentence. */
  hint: string;
  /** The maximum number of photos. */
  maximum: number;
  /** Whether at least one is needed. */
  required?: boolean;
  photos: readonly File[];
  onChange: (photos: readonly File[]) => void;
  uploads: ReadonlyMap<FormPhoto, PhotoUpload>;
  busy: boolean;
  error: string | undefined;
}

const isFile = (photo: FormPhoto): photo is File => typeof photo !== 'string';

/** Photos that are uploaded when the form around them is submitted. */
export function AttachedPhotos(props: AttachedPhotosProps) {
  const { label, hint, maximum, required = false, photos, onChange, uploads, busy, error } = props;
  const input = useRef<HTMLInputElement>(null);
  const [announcement, setAnnouncement] = useState('');
  function add(files: readonly File[]) {
    const { photos: all, message } = appendPhotos(photos, files, maximum);
    setAnnouncement(message);
    onChange(all.filter(isFile));
  }
  function remove(photo: File) {
    setAnnouncement(`${photo.name} is removed.`);
    onChange(photos.filter((other) => other !== photo));
    input.current?.focus();
  }
  return (
    <div className="flex flex-col gap-1.5">
      <Field
        label={label}
        optional={!required}
        error={error}
        hint={`Up to ${maximum}, at most ${MAXIMUM_PHOTO_SIZE} each. ${hint}`}
      >
        <FileInput
          ref={input}
          name="photos"
          multiple
          accept={PHOTO_ACCEPT}
          disabled={busy}
          onFiles={add}
          // The browser's text beside the button says that no file is chosen: the files are in the list below.
          className={`min-h-11 w-full max-w-full rounded-lg text-sm file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-lg file:border file:border-border-strong file:bg-surface file:px-4 file:font-semibold file:text-foreground hover:file:bg-subtle ${photos.length > 0 ? 'text-transparent' : ''}`}
        />
      </Field>
      <p role="status" className="text-sm empty:sr-only">
        {announcement}
      </p>
      {photos.length > 0 && (
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {photos.map((photo) => {
            const upload = uploads.get(photo);
            return (
              <li key={photoId(photo)} className="flex flex-col gap-2 rounded-lg border border-border p-2">
                <FilePreview photo={photo} alt={photo.name} />
                {upload !== undefined && <UploadStatus upload={upload} />}
                <Button
                  variant="secondary"
                  disabled={busy}
                  aria-label={`Remove ${photo.name}`}
                  onClick={() => remove(photo)}
                >
                  Remove
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
