import { useId } from 'react';
import { PhotoKind, photoKinds } from '#contract/listings/photo-kinds.ts';
import { PHOTO_ACCEPT } from '#contract/listings/photos.ts';
import { FileInput } from '../ui/field.tsx';
import { type SlipCode, SlipCodeNote } from './slip-code.tsx';

interface Shot {
  /** What the photo must show. */
  hint: string;
  /** An outline of it, on a grid of 24 units. */
  outline: string;
}

const shots: Record<PhotoKind, Shot> = {
  lid: { hint: 'Closed, the whole lid from above', outline: 'M3 6h18v12H3zM10.5 12h3' },
  on: {
    hint: 'Open and started, its screen visible',
    outline: 'M5 4h14v10H5zM5 14l-2 5h18l-2-5M8 7h5M8 10h8',
  },
  keyboard: {
    hint: 'All keys and the touchpad, from above',
    outline: 'M3 5h18v14H3zM5.5 7.5h13M5.5 10h13M5.5 12.5h13M9 15h6v2.5H9z',
  },
  ports: {
    hint: 'Each side with ports, close enough to read',
    outline: 'M2 10h20v4H2zM5 11.5h2.5v1H5zM10 11.5h4v1h-4zM17 12h.5',
  },
  underside: {
    hint: 'The whole underside with its labels',
    outline: 'M3 6h18v12H3zM6 9h5M6 11.5h3M15 15.5h3M5 6v-1M19 6v-1',
  },
  marks: { hint: 'Each scratch or dent, close up', outline: 'M3 6h18v12H3zM9 15l2-3-1-1 3-3' },
  slip: {
    hint: 'The laptop with a slip of paper that has the code',
    outline: 'M4 4h16v10H4zM2 18h20M9 10h8v8H9zM11 13h4M11 15.5h3',
  },
};

interface GuidedShotsProps {
  taken: ReadonlySet<PhotoKind>;
  slip: SlipCode;
  /** Whether another photo can be added. */
  open: boolean;
  onAdd: (kind: PhotoKind, files: readonly File[]) => void;
}

/** The photos that show a laptop from all sides, each with an outline. All are optional. */
export function GuidedShots({ taken, slip, open, onAdd }: GuidedShotsProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-4 flex flex-col gap-2">
      <h2 id={id} className="font-semibold text-sm">
        Photos that buyers look for
      </h2>
      <ul className="grid gap-2 sm:grid-cols-2">
        {PhotoKind.options.map((kind) => {
          const label = photoKinds[kind];
          const { hint, outline } = shots[kind];
          return (
            <li
              key={kind}
              className="relative flex flex-wrap items-center gap-3 rounded-lg border border-border bg-surface p-2.5 has-[input:focus-visible]:outline-3 has-[input:focus-visible]:outline-accent has-[input:focus-visible]:outline-offset-2 sm:last:odd:col-span-2"
            >
              <svg
                viewBox="0 0 24 24"
                className="size-[44px] shrink-0 fill-none stroke-[1.3] stroke-current text-muted"
                aria-hidden="true"
              >
                <path d={outline} />
              </svg>
              <span className="min-w-0 flex-1 basis-[7rem] text-sm">
                <span className="block font-semibold">{label}</span>
                <span className="block text-muted">{hint}</span>
                {kind === 'slip' && <SlipCodeNote slip={slip} />}
              </span>
              <span className={`shrink-0 font-semibold text-sm ${taken.has(kind) ? 'text-success' : ''}`}>
                {taken.has(kind) ? 'Added' : 'Add'}
              </span>
              {/* Covers the whole place, so that it takes every click. */}
              <FileInput
                multiple
                accept={PHOTO_ACCEPT}
                disabled={!open}
                aria-label={`${label}: add a photo. ${hint}${taken.has(kind) ? '. One was added' : ''}`}
                onFiles={(files) => onAdd(kind, files)}
                className="absolute inset-0 size-full cursor-pointer text-[0] opacity-0 disabled:cursor-default"
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
