import { type KeyboardEvent, useRef, useState } from 'react';
import type { Laptop } from '#contract/listings/catalogue.ts';
import { photoSources } from '#contract/listings/photo-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Photo } from '../ui/photo.tsx';
import type { PhotoViewer } from '../ui/photo-viewer.tsx';
import { toast } from '../ui/toast.tsx';

const sizes = '(width >= 64rem) 42rem, (width >= 40rem) max(92vw, 42rem), 92vw';
/** The specification's height on wide screens. On phones the box has the photo's proportions, so that name and price fit below it. */
const frame = 'h-[500px] w-full object-cover max-lg:aspect-[4/3] max-lg:h-auto';

const arrow = 'rounded-full aria-disabled:text-muted aria-disabled:opacity-55';

/** The blurred placeholder of a photo that is not loaded yet. */
function PhotoPlaceholder({ url }: { url: string }) {
  const { placeholder } = photoSources(url);
  return (
    <span
      className={`${frame} block bg-photo bg-cover`}
      {...(placeholder !== undefined && { style: { backgroundImage: `url(${placeholder})` } })}
    />
  );
}

interface GalleryProps {
  laptop: Pick<Laptop, 'name' | 'images' | 'captions'>;
  /** Whether the first photo is loaded at once. */
  eager: boolean;
}

/** A caption as the end of an accessible name. */
const spoken = (caption: string | undefined) => (caption === undefined ? '' : `: ${caption}`);

/** Its code is fetched when the pointer or the focus enters a gallery. */
const loadViewer = () => import('../ui/photo-viewer.tsx');

/**
 * The photos of a laptop: one large with swipe, arrow buttons and keys, and thumbnails below. Only the first is loaded
 * until the pointer or the focus enters the gallery.
 */
export function Gallery({ laptop: { name, images, captions = {} }, eager }: GalleryProps) {
  const strip = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [preloaded, setPreloaded] = useState<ReadonlySet<number>>(new Set([0]));
  const [Viewer, setViewer] = useState<typeof PhotoViewer | null>(null);
  const [isViewerOpen, setIsViewerOpen] = useState(false);
  const last = images.length - 1;

  function preloadAround(index: number) {
    const wanted = [index - 1, index, index + 1];
    if (!wanted.every((one) => preloaded.has(one))) setPreloaded(new Set([...preloaded, ...wanted]));
    loadViewer().catch(() => undefined);
  }

  async function openViewer() {
    try {
      const { PhotoViewer } = await loadViewer();
      setViewer(() => PhotoViewer);
      setIsViewerOpen(true);
    } catch {
      toast.error('The photo could not be enlarged. Please check your connection and try again.');
    }
  }

  const photoButton = (index: number) => strip.current?.querySelectorAll('button')[index] ?? null;

  function show(index: number) {
    const view = strip.current;
    const next = Math.min(Math.max(index, 0), last);
    if (view === null || next === current) return;
    preloadAround(next);
    setCurrent(next);
    view.scrollTo({ left: next * view.clientWidth, behavior: 'instant' });
    if (view.contains(document.activeElement)) photoButton(next)?.focus({ preventScroll: true });
  }

  function handleKey(event: KeyboardEvent) {
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined || last === 0) return;
    event.preventDefault();
    show(target);
  }

  /** Follows a swipe or any other scrolling. */
  function handleScroll() {
    const view = strip.current;
    if (view === null || view.clientWidth === 0) return;
    const shown = Math.min(Math.max(Math.round(view.scrollLeft / view.clientWidth), 0), last);
    preloadAround(shown);
    setCurrent(shown);
  }

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        role="group"
        aria-label={`Photos of ${name}`}
        onKeyDown={handleKey}
        onPointerEnter={() => preloadAround(current)}
        onTouchStart={() => preloadAround(current)}
        onFocus={() => preloadAround(current)}
        className="min-w-0"
      >
        <div className="relative">
          <div
            ref={strip}
            onScroll={handleScroll}
            className="flex snap-x snap-mandatory overflow-x-auto overscroll-x-contain rounded-xl [scrollbar-width:none]"
          >
            {images.map((url, index) => (
              <button
                key={url}
                type="button"
                aria-label={
                  last === 0
                    ? `Enlarge the photo of ${name}${spoken(captions[url])}`
                    : `Enlarge photo ${index + 1} of ${images.length} of ${name}${spoken(captions[url])}`
                }
                tabIndex={index === current ? 0 : -1}
                onClick={() => void openViewer()}
                className="@container relative block w-full shrink-0 cursor-zoom-in snap-center snap-always focus-visible:-outline-offset-4 focus-visible:rounded-xl"
              >
                {preloaded.has(index) ? (
                  <Photo
                    url={url}
                    // A caption stands below it.
                    alt={captions[url] === undefined ? `${name}, photographed by its seller` : ''}
                    sizes={sizes}
                    eager={eager && index === 0}
                    className={frame}
                  />
                ) : (
                  <PhotoPlaceholder url={url} />
                )}
                {captions[url] !== undefined && <span className="photo-caption">{captions[url]}</span>}
              </button>
            ))}
          </div>
          {last > 0 && (
            <div className="absolute right-2 bottom-2 flex items-center rounded-full bg-surface shadow-card">
              <IconButton
                className={arrow}
                label="Previous photo"
                icon="arrowLeft"
                disabled={current === 0}
                onClick={() => show(current - 1)}
              />
              <p aria-live="polite" className="figures whitespace-nowrap font-semibold text-sm">
                <span className="sr-only">Photo </span>
                {current + 1} of {images.length}
              </p>
              <IconButton
                className={arrow}
                label="Next photo"
                icon="arrowRight"
                disabled={current === last}
                onClick={() => show(current + 1)}
              />
            </div>
          )}
        </div>
        {last > 0 && (
          <ul className="-mx-0.5 mt-3 flex flex-wrap gap-2 max-sm:hidden">
            {images.map((url, index) => (
              <li key={url}>
                <button
                  type="button"
                  aria-label={`Show photo ${index + 1}`}
                  aria-current={index === current || undefined}
                  onClick={() => show(index)}
                  className="thumbnail"
                >
                  <Photo url={url} alt="" sizes="5rem" className="h-14 w-18.5 rounded-md object-cover" />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {Viewer !== null && (
        <Viewer
          open={isViewerOpen}
          title={name}
          urls={images}
          captions={captions}
          index={current}
          onShow={show}
          onClose={() => setIsViewerOpen(false)}
          finalFocus={() => photoButton(current)}
        />
      )}
    </>
  );
}
