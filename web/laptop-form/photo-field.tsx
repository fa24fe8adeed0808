import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useController } from 'react-hook-form';
import { MAXIMUM_PHOTOS } from '#contract/listings/catalogue.ts';
import type { PhotoKind } from '#contract/listings/photo-kinds.ts';
import { MAXIMUM_PHOTO_SIZE, PHOTO_ACCEPT } from '#contract/listings/photos.ts';
import { FileInput } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import type { FormValues } from './form-values.ts';
import { GuidedShots } from './guided-shots.tsx';
import { detailOf, type PhotoDetails, withDetail } from './photo-details.ts';
import { appendPhotos, type FormPhoto, movePhoto, photoId } from './photo-list.ts';
import { type PhotoAction, PhotoTile } from './photo-tile.tsx';
import type { SlipCode } from './slip-code.tsx';
import type { PhotoUpload } from './use-photo-uploads.ts';

interface PhotoFieldProps {
  value: readonly FormPhoto[];
  onChange: (photos: readonly FormPhoto[]) => void;
  /** Lets the form focus the input when a photo is missing. */
  inputRef: (input: HTMLInputElement | null) => void;
  error: string | undefined;
  uploads: ReadonlyMap<FormPhoto, PhotoUpload>;
  busy: boolean;
  onRetry: (photo: FormPhoto) => void;
  /** The code for a photo with a slip. */
  slip: SlipCode;
}

/** The photos of a laptop: chosen or dropped, ordered, with the progress of each upload. */
export function PhotoField(props: PhotoFieldProps) {
  const { value, onChange, inputRef, error, uploads, busy, onRetry, slip } = props;
  const { field: details } = useController<FormValues, 'details'>({ name: 'details' });
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  /** The button to focus after the next render. Moving a focused element in the DOM removes its focus. */
  const focusNext = useRef<{ index: number; act: PhotoAction } | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const [dragged, setDragged] = useState<FormPhoto | null>(null);
  const [dropTarget, setDropTarget] = useState<FormPhoto | null>(null);
  const remaining = MAXIMUM_PHOTOS - value.length;

  useLayoutEffect(() => {
    const wanted = focusNext.current;
    focusNext.current = null;
    if (wanted === null || list.current === null) return;
    const tile = list.current.children[Math.min(wanted.index, value.length - 1)];
    const target = tile?.querySelector(`[data-act=${wanted.act}]`) ?? list.current.querySelector('input');
    if (target instanceof HTMLElement) target.focus();
  }, [value]);

  useEffect(() => {
    if (busy) return;
    // After a failed submit: the retry button of the first failed upload, or the input, which was disabled meanwhile.
    list.current?.querySelector<HTMLElement>('[data-retry], [aria-invalid]')?.focus();
  }, [busy]);

  function add(files: readonly File[], kind?: PhotoKind) {
    const { photos, message } = appendPhotos(value, files);
    setAnnouncement(message);
    onChange(photos);
    if (kind === undefined) return;
    const added = photos.filter((photo) => !value.includes(photo));
    details.onChange(
      added.reduce(
        (said: PhotoDetails, photo) => withDetail(said, photo, { ...detailOf(said, photo), kind }),
        details.value,
      ),
    );
  }

  function move(from: number, to: number) {
    setAnnouncement(
      `Photo ${from + 1} is now photo ${to + 1} of ${value.length}${to === 0 ? ', shown first' : ''}.`,
    );
    onChange(movePhoto(value, from, to));
  }

  function runAction(index: number, act: PhotoAction) {
    const next = act === 'earlier' ? index - 1 : act === 'later' ? index + 1 : index;
    focusNext.current = { index: next, act };
    if (act !== 'remove') return move(index, next);
    setAnnouncement(`Photo ${index + 1} is removed. ${value.length - 1} of ${MAXIMUM_PHOTOS} are left.`);
    onChange(value.filter((_, at) => at !== index));
  }

  function endDrag() {
    setDragged(null);
    setDropTarget(null);
  }

  function drop(photo: FormPhoto) {
    if (dragged !== null && dragged !== photo) move(value.indexOf(dragged), value.indexOf(photo));
    endDrag();
  }

  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold text-sm">
        Product Photo
      </label>
      <ul
        ref={list}
        onDragOver={(event) => {
          // By default the browser navigates to a dropped file.
          if (event.dataTransfer.types.includes('Files')) event.preventDefault();
        }}
        onDrop={(event) => {
          event.preventDefault();
          const files = [...event.dataTransfer.files];
          if (files.length > 0 && !busy) add(files);
        }}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,7.5rem),1fr))] gap-3 sm:grid-cols-3"
      >
        {value.map((photo, index) => (
          <li
            key={photoId(photo)}
            draggable={!busy && value.length > 1}
            onDragStart={() => setDragged(photo)}
            onDragEnd={endDrag}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setDropTarget(photo);
            }}
            onDrop={() => drop(photo)}
            className={`flex flex-col rounded-lg border bg-surface ${dropTarget === photo && dragged !== photo ? 'border-accent outline-2 outline-accent' : 'border-border'} ${value.length > 1 && !busy ? 'cursor-grab' : ''} ${dragged === photo ? 'opacity-55' : ''}`}
          >
            <PhotoTile
              photo={photo}
              index={index}
              count={value.length}
              upload={uploads.get(photo)}
              busy={busy}
              onAction={(act) => runAction(index, act)}
              onRetry={() => onRetry(photo)}
              detail={detailOf(details.value, photo)}
              slipCode={slip.code}
              onDetailChange={(detail) => details.onChange(withDetail(details.value, photo, detail))}
            />
          </li>
        ))}
        <li
          className={`relative grid place-items-center rounded-lg border border-dashed p-4 text-center has-focus-visible:outline-3 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 ${value.length === 0 ? 'col-span-full min-h-36' : 'min-h-32'} ${error === undefined ? 'border-border-strong' : 'border-danger'} ${remaining === 0 ? 'text-muted' : 'hover:bg-subtle'}`}
        >
          <span className="flex flex-col items-center gap-1">
            <Icon name="camera" className="size-7 text-muted" />
            <span className="font-semibold">{value.length === 0 ? 'Choose photos' : 'Add more'}</span>
            <span className="text-muted text-sm">
              {remaining === 0 ? `${MAXIMUM_PHOTOS} photos are chosen` : 'or drop them here'}
            </span>
          </span>
          {/* Covers the whole tile, so that it takes every click and drop. */}
          <FileInput
            id={id}
            ref={inputRef}
            // A full list has no control: a refusal of a photo is shown under the form as well.
            name={remaining === 0 ? undefined : 'photo'}
            multiple
            accept={PHOTO_ACCEPT}
            disabled={busy || remaining === 0}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={`${id}-hint ${id}-error`}
            onFiles={add}
            className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
          />
        </li>
      </ul>
      <p id={`${id}-error`} role="alert" className="text-danger text-sm empty:hidden">
        {error}
      </p>
      <p id={`${id}-hint`} className="text-muted text-sm">
        Up to {MAXIMUM_PHOTOS}; lists show the first. JPEG, PNG, WebP, AVIF or HEIC, at most{' '}
        {MAXIMUM_PHOTO_SIZE} each. We remove location data.
      </p>
      <p role="status" className="text-sm empty:sr-only">
        {announcement}
      </p>
      <GuidedShots
        taken={new Set(value.flatMap((photo) => detailOf(details.value, photo).kind ?? []))}
        slip={slip}
        open={!busy && remaining > 0}
        onAdd={(kind, files) => add(files, kind)}
      />
    </div>
  );
}
