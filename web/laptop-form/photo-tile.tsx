import { useState } from 'react';
import { MAXIMUM_CAPTION } from '#contract/listings/photo-captions.ts';
import { PhotoKind, photoKinds } from '#contract/listings/photo-kinds.ts';
import { SmallButton } from '../ui/button.tsx';
import { ErrorText } from '../ui/error-text.tsx';
import { Options, Select, TextInput } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Photo } from '../ui/photo.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import type { PhotoDetail } from './photo-details.ts';
import type { FormPhoto } from './photo-list.ts';
import { useObjectUrl } from './use-object-url.ts';
import type { PhotoUpload } from './use-photo-uploads.ts';

/** A preview of the file, when the browser can decode it. */
export function FilePreview({ photo, alt }: { photo: File; alt: string }) {
  const url = useObjectUrl(photo);
  const [unshowable, setUnshowable] = useState(false);
  if (unshowable) {
    return (
      <p className="grid aspect-4/3 place-content-center gap-1 bg-subtle p-3 text-center text-muted text-sm [overflow-wrap:anywhere]">
        <span>{photo.name}</span>
        <span>This browser cannot show it before it is uploaded.</span>
      </p>
    );
  }
  if (url === null) return <span className="block aspect-4/3 bg-subtle" />;
  return (
    <img
      src={url}
      alt={alt}
      draggable={false}
      // Most browsers cannot show HEIC; the image host decodes it.
      onError={() => setUnshowable(true)}
      className="aspect-4/3 w-full bg-subtle object-cover"
    />
  );
}

/** The progress of a photo's upload, or why it failed. */
export function UploadStatus({ upload }: { upload: PhotoUpload }) {
  if (upload.status === 'failed') {
    return <ErrorText className="text-sm">{upload.message}</ErrorText>;
  }
  if (upload.status === 'uploaded') return <p className="text-success text-sm">Uploaded</p>;
  const { percent } = upload;
  return (
    <div>
      <ProgressBar label="Uploading this photo" value={percent} className="rounded-full" />
      <p className="figures mt-1 text-muted text-sm">
        {percent < 100 ? `Uploading: ${Math.round(percent)} %` : 'Preparing the photo'}
      </p>
    </div>
  );
}

const actions = [
  { act: 'earlier', title: 'Move earlier', icon: 'arrowLeft' },
  { act: 'later', title: 'Move later', icon: 'arrowRight' },
  { act: 'remove', title: 'Remove', icon: 'remove' },
] as const;

/** The actions on a photo. */
export type PhotoAction = (typeof actions)[number]['act'];

interface PhotoTileProps {
  photo: FormPhoto;
  /** Counted from 0. */
  index: number;
  count: number;
  upload: PhotoUpload | undefined;
  /** True while the form is submitting; actions are then disabled. */
  busy: boolean;
  onAction: (act: PhotoAction) => void;
  onRetry: () => void;
  detail: PhotoDetail;
  onDetailChange: (detail: PhotoDetail) => void;
  /** The code that a photo of the slip must show; null while it is unknown. */
  slipCode: string | null;
}

/** A chosen photo with its preview, its upload and its actions. */
export function PhotoTile(props: PhotoTileProps) {
  const { photo, index, count, upload, busy, onAction, onRetry, detail, onDetailChange, slipCode } = props;
  const which = `photo ${index + 1}`;
  return (
    <>
      <div className="relative overflow-hidden rounded-t-lg">
        {typeof photo === 'string' ? (
          <Photo
            url={photo}
            alt={`Photo ${index + 1}`}
            sizes="14rem"
            className="aspect-4/3 w-full object-cover"
          />
        ) : (
          <FilePreview photo={photo} alt={`Photo ${index + 1}: ${photo.name}`} />
        )}
        {index === 0 && (
          <span className="absolute top-2 left-2 rounded-full bg-surface px-2.5 py-0.5 font-semibold text-sm">
            Shown first
          </span>
        )}
      </div>
      <div className="flex flex-1 flex-col gap-1 p-2">
        {upload !== undefined && <UploadStatus upload={upload} />}
        {upload?.status === 'failed' && (
          <SmallButton data-retry disabled={busy} aria-label={`Try again: ${which}`} onClick={onRetry}>
            Try again
          </SmallButton>
        )}
        <Select
          aria-label={`What ${which} shows`}
          value={detail.kind ?? ''}
          disabled={busy}
          onChange={({ target }) =>
            onDetailChange({ ...detail, kind: PhotoKind.safeParse(target.value).data })
          }
        >
          <option value="">Any view</option>
          <Options values={PhotoKind.options} label={(kind) => photoKinds[kind]} />
        </Select>
        {detail.kind === 'slip' && slipCode !== null && (
          <p className="text-muted text-sm">
            The slip must show <strong className="figures text-foreground tracking-widest">{slipCode}</strong>
          </p>
        )}
        <TextInput
          aria-label={`Caption of ${which}`}
          placeholder="Caption"
          maxLength={MAXIMUM_CAPTION}
          autoComplete="off"
          value={detail.caption}
          disabled={busy}
          onChange={({ target }) => onDetailChange({ ...detail, caption: target.value })}
        />
        <div className="mt-auto flex justify-between">
          {actions.map(({ act, title, icon }) => (
            <IconButton
              key={act}
              data-act={act}
              label={`${title}: ${which}`}
              title={title}
              icon={icon}
              disabled={
                busy || (act === 'earlier' && index === 0) || (act === 'later' && index === count - 1)
              }
              onClick={() => onAction(act)}
              className="rounded-lg aria-disabled:opacity-40"
            />
          ))}
        </div>
      </div>
    </>
  );
}
