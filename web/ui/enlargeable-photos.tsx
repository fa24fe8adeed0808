import { useRef, useState } from 'react';
import { Photo } from './photo.tsx';
import type { PhotoViewer } from './photo-viewer.tsx';
import { toast } from './toast.tsx';

interface EnlargeablePhotosProps {
  /** What the photos show: the title of the viewer and the start of each accessible name. */
  title: string;
  urls: readonly string[];
  /** Captions by URL. */
  captions?: Readonly<Record<string, string>> | undefined;
  /** The classes of the list; a grid of small photos without them. */
  className?: string;
  /** The width of a photo in the page, as the attribute `sizes`. */
  sizes?: string;
  /** Whether the captions are shown below the photos as well. */
  showCaptions?: boolean;
}

/** Photos in a grid. Each opens in the full-window viewer, whose code is loaded then. */
export function EnlargeablePhotos({
  title,
  urls,
  captions = {},
  className = 'grid grid-cols-3 gap-2 sm:grid-cols-[repeat(auto-fill,7rem)]',
  sizes = '7rem',
  showCaptions = false,
}: EnlargeablePhotosProps) {
  const list = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const [Viewer, setViewer] = useState<typeof PhotoViewer | null>(null);

  async function open(chosen: number) {
    try {
      const { PhotoViewer } = await import('./photo-viewer.tsx');
      setViewer(() => PhotoViewer);
      setIndex(chosen);
      setIsOpen(true);
    } catch {
      toast.error('The photo could not be enlarged. Please check your connection and try again.');
    }
  }

  if (urls.length === 0) return null;
  return (
    <>
      <ul ref={list} aria-label={title} className={className}>
        {urls.map((url, at) => (
          <li key={url}>
            <button
              type="button"
              aria-label={`Enlarge photo ${at + 1} of ${urls.length}: ${captions[url] ?? title}`}
              onClick={() => void open(at)}
              className="block w-full cursor-zoom-in overflow-hidden rounded-lg"
            >
              <Photo url={url} alt="" sizes={sizes} className="aspect-4/3 w-full rounded-lg object-cover" />
            </button>
            {showCaptions && captions[url] !== undefined && (
              <p className="mt-1 wrap-anywhere">{captions[url]}</p>
            )}
          </li>
        ))}
      </ul>
      {Viewer !== null && (
        <Viewer
          open={isOpen}
          title={title}
          urls={urls}
          captions={captions}
          index={index}
          onShow={setIndex}
          onClose={() => setIsOpen(false)}
          finalFocus={() => list.current?.querySelectorAll('button')[index] ?? null}
        />
      )}
    </>
  );
}
