import { Dialog } from '@base-ui/react/dialog';
import { type KeyboardEvent, useRef, useState } from 'react';
import { CloseIcon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { type Level, levels, ZoomablePhoto } from './zoomable-photo.tsx';

/** Pixels that an arrow key scrolls an enlarged photo. */
const PAN_STEP = 80;

const zoomKeys: Readonly<Record<string, 1 | -1>> = { '+': 1, '=': 1, '-': -1 };

const arrowKeys: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface PhotoViewerProps {
  open: boolean;
  /** The dialog's title. */
  title: string;
  urls: readonly string[];
  /** Captions by URL. */
  captions?: Readonly<Record<string, string>> | undefined;
  /** The index of the shown photo. */
  index: number;
  onShow: (index: number) => void;
  onClose: () => void;
  /** The element to focus after closing. */
  finalFocus: () => HTMLElement | null;
}

const round = 'rounded-full aria-disabled:opacity-40';

/**
 * A full-window photo viewer. A click, Enter, + and − zoom. Dragging and the arrow keys scroll an enlarged photo;
 * otherwise the arrow keys show the next photo. Escape closes.
 */
export function PhotoViewer({
  open,
  title,
  urls,
  captions,
  index,
  onShow,
  onClose,
  finalFocus,
}: PhotoViewerProps) {
  const photo = useRef<HTMLButtonElement>(null);
  const [level, setLevel] = useState<Level>(1);
  const url = urls[index];
  const caption = captions?.[url ?? ''];
  const last = urls.length - 1;

  function show(wanted: number) {
    const next = Math.min(Math.max(wanted, 0), last);
    if (next === index) return;
    setLevel(1);
    onShow(next);
  }

  function zoom(by: 1 | -1) {
    setLevel(levels[levels.indexOf(level) + by] ?? level);
  }

  function move(x: number, y: number) {
    if (level === 1) show(index + x);
    else
      photo.current?.parentElement?.scrollBy({ left: x * PAN_STEP, top: y * PAN_STEP, behavior: 'instant' });
  }

  function handleKey(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoomBy = zoomKeys[event.key];
    const direction = arrowKeys[event.key];
    if (zoomBy !== undefined) zoom(zoomBy);
    else if (direction !== undefined) move(...direction);
    else if (event.key === '0') setLevel(1);
    else if (event.key === 'Home') show(0);
    else if (event.key === 'End') show(last);
    else return;
    event.preventDefault();
  }

  const position = `${index + 1} of ${urls.length}`;
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => !next && onClose()}
      onOpenChangeComplete={(opened) => !opened && setLevel(1)}
    >
      <Dialog.Portal>
        <Dialog.Popup
          initialFocus={photo}
          finalFocus={finalFocus}
          onKeyDown={handleKey}
          className="fixed inset-0 z-50 flex flex-col bg-paper text-ink transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0"
        >
          <div className="flex items-center gap-2 border-line border-b py-1.5 pr-2 pl-4">
            <Dialog.Title className="min-w-0 flex-1 text-base leading-tight sm:text-lg">{title}</Dialog.Title>
            <p aria-live="polite" className="figures whitespace-nowrap text-quiet text-sm">
              {urls.length > 1 && (
                <>
                  <span className="sr-only">Photo </span>
                  {position}
                  <span className="sr-only">, </span>
                </>
              )}
              <span className="sr-only sm:not-sr-only sm:ml-3 sm:inline-block sm:w-12 sm:text-right">
                {level * 100} %
              </span>
            </p>
            <IconButton
              className={round}
              label="Zoom out"
              d="M4 10h12"
              onClick={() => zoom(-1)}
              disabled={level === levels[0]}
            />
            <IconButton
              className={round}
              label="Zoom in"
              d="M4 10h12M10 4v12"
              onClick={() => zoom(1)}
              disabled={level === levels.at(-1)}
            />
            <Dialog.Close
              aria-label="Close"
              className="grid size-11 place-items-center rounded-full hover:bg-sunken"
            >
              <CloseIcon />
            </Dialog.Close>
          </div>
          {url !== undefined && (
            <ZoomablePhoto
              key={url}
              url={url}
              alt={caption ?? `${title}, photo ${position}`}
              level={level}
              onLevel={setLevel}
              onSwipe={(by) => show(index + by)}
              photoRef={photo}
            />
          )}
          {caption !== undefined && (
            <p className="border-line border-t px-4 pt-2.5 pb-1 text-center text-sm">{caption}</p>
          )}
          {urls.length > 1 && (
            <div className="flex justify-center gap-6 border-line border-t py-1.5">
              <IconButton
                className={round}
                label="Previous photo"
                d="m12.5 4-6 6 6 6"
                onClick={() => show(index - 1)}
                disabled={index === 0}
              />
              <IconButton
                className={round}
                label="Next photo"
                d="m7.5 4 6 6-6 6"
                onClick={() => show(index + 1)}
                disabled={index === last}
              />
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
