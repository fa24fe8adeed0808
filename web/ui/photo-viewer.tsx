import { Dialog } from '@base-ui/react/dialog';
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { photoSources } from '#contract/photos.ts';
import { Photo } from './photo.tsx';

/** How much larger than fitting into the window a photo is shown. */
const levels = [1, 1.5, 2, 3, 4] as const;
type Level = (typeof levels)[number];

/** Where a click on the photo leads to. */
const CLOSER: Level = 2;

/** How far an arrow key moves an enlarged photo, in pixels. */
const STEP = 80;

/** Two taps within so many milliseconds and pixels are one double tap. */
const DOUBLE_TAP = { milliseconds: 300, pixels: 30 };

/** Further than this, in pixels, a press of the mouse is a pull and no click. */
const PULL = 4;

interface Point {
  x: number;
  y: number;
}

interface PhotoViewerProps {
  open: boolean;
  /** What the photos show; read aloud and written above them. */
  title: string;
  urls: readonly string[];
  /** Which of them is shown. */
  index: number;
  onShow: (index: number) => void;
  onClose: () => void;
  /** Where the focus goes when it closes. */
  finalFocus: () => HTMLElement | null;
}

interface ToolProps {
  label: string;
  onClick: () => void;
  disabled: boolean;
  children: ReactNode;
}

/** Stays in the order of focus when there is nothing more to do in its direction. */
function Tool({ label, onClick, disabled, children }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      className="grid size-11 place-items-center rounded-full text-ink hover:bg-sunken aria-disabled:opacity-40"
    >
      <svg
        viewBox="0 0 20 20"
        className="size-5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        aria-hidden="true"
      >
        {children}
      </svg>
    </button>
  );
}

/** The photo at a level, to be clicked closer, pulled about and scrolled. Mounted anew for each photo. */
function Stage({
  url,
  alt,
  level,
  onLevel,
  photoRef,
}: {
  url: string;
  alt: string;
  level: Level;
  onLevel: (level: Level) => void;
  photoRef: React.RefObject<HTMLButtonElement | null>;
}) {
  const stage = useRef<HTMLDivElement>(null);
  /** The point of the photo, in fractions of its size, that is to stay where it is in the window. */
  const anchor = useRef<{ of: Point; at: Point } | null>(null);
  const pull = useRef<{ from: Point; scroll: Point; moved: boolean } | null>(null);
  const lastTap = useRef<{ at: Point; time: number } | null>(null);
  const { width = 4, height = 3 } = photoSources(url);

  useLayoutEffect(() => {
    const [box, view, kept] = [photoRef.current?.getBoundingClientRect(), stage.current, anchor.current];
    anchor.current = null;
    if (box === undefined || view === null) return;
    const frame = view.getBoundingClientRect();
    const { of, at } = kept ?? {
      of: { x: 0.5, y: 0.5 },
      at: { x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 },
    };
    if (level > 1) view.scrollBy(box.left + of.x * box.width - at.x, box.top + of.y * box.height - at.y);
  }, [level, photoRef]);

  function toggle(at: Point | null) {
    const box = photoRef.current?.getBoundingClientRect();
    if (at !== null && box !== undefined) {
      anchor.current = { at, of: { x: (at.x - box.left) / box.width, y: (at.y - box.top) / box.height } };
    }
    onLevel(level === 1 ? CLOSER : 1);
  }

  function click(event: MouseEvent) {
    const { nativeEvent } = event;
    const at = { x: event.clientX, y: event.clientY };
    // By Enter or the space bar: in the middle.
    if (event.detail === 0) return toggle(null);
    if (pull.current?.moved) return;
    if (!(nativeEvent instanceof globalThis.PointerEvent) || nativeEvent.pointerType !== 'touch')
      return toggle(at);
    const before = lastTap.current;
    const isSecond =
      before !== null &&
      event.timeStamp - before.time < DOUBLE_TAP.milliseconds &&
      Math.hypot(at.x - before.at.x, at.y - before.at.y) < DOUBLE_TAP.pixels;
    lastTap.current = isSecond ? null : { at, time: event.timeStamp };
    if (isSecond) toggle(at);
  }

  function press(event: PointerEvent) {
    pull.current = null;
    const view = stage.current;
    // A finger scrolls by itself.
    if (view === null || event.pointerType === 'touch' || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pull.current = {
      from: { x: event.clientX, y: event.clientY },
      scroll: { x: view.scrollLeft, y: view.scrollTop },
      moved: false,
    };
  }

  function move(event: PointerEvent) {
    const pulled = pull.current;
    if (pulled === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const [x, y] = [event.clientX - pulled.from.x, event.clientY - pulled.from.y];
    if (Math.hypot(x, y) > PULL) pulled.moved = true;
    stage.current?.scrollTo(pulled.scroll.x - x, pulled.scroll.y - y);
  }

  return (
    <div ref={stage} data-stage className="@container-size flex min-h-0 flex-1 overflow-auto">
      <button
        ref={photoRef}
        type="button"
        aria-label={level === 1 ? `Enlarge: ${alt}` : `Show whole: ${alt}`}
        onClick={click}
        onPointerDown={press}
        onPointerMove={move}
        onDragStart={(event) => event.preventDefault()}
        style={{
          width: `calc(min(100cqw, 100cqh * ${width / height}) * ${level})`,
          aspectRatio: `${width} / ${height}`,
        }}
        className={`m-auto block shrink-0 touch-manipulation select-none focus-visible:-outline-offset-4 ${level === 1 ? 'cursor-zoom-in' : 'cursor-grab active:cursor-grabbing'}`}
      >
        <Photo
          url={url}
          alt=""
          eager
          sizes={level === 1 ? '100vw' : '400vw'}
          className="size-full object-contain"
        />
      </button>
    </div>
  );
}

/**
 * Photos over the whole window, to look at closely: a click, Enter, + and − enlarge, dragging and the arrow keys move
 * about in an enlarged photo, and otherwise lead to the next one. Escape closes.
 */
export function PhotoViewer({ open, title, urls, index, onShow, onClose, finalFocus }: PhotoViewerProps) {
  const photo = useRef<HTMLButtonElement>(null);
  const [level, setLevel] = useState<Level>(1);
  const url = urls[index];
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
    else photo.current?.parentElement?.scrollBy({ left: x * STEP, top: y * STEP, behavior: 'instant' });
  }

  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case '+':
      case '=':
        zoom(1);
        break;
      case '-':
        zoom(-1);
        break;
      case '0':
        setLevel(1);
        break;
      case 'ArrowLeft':
        move(-1, 0);
        break;
      case 'ArrowRight':
        move(1, 0);
        break;
      case 'ArrowUp':
        move(0, -1);
        break;
      case 'ArrowDown':
        move(0, 1);
        break;
      case 'Home':
        show(0);
        break;
      case 'End':
        show(last);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  const place = `${index + 1} of ${urls.length}`;
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
          onKeyDown={press}
          className="fixed inset-0 z-50 flex flex-col bg-paper text-ink transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0"
        >
          <div className="flex items-center gap-2 border-line border-b py-1.5 pr-2 pl-4">
            <Dialog.Title className="min-w-0 flex-1 text-base leading-tight sm:text-lg">{title}</Dialog.Title>
            <p aria-live="polite" className="figures whitespace-nowrap text-quiet text-sm">
              {urls.length > 1 && (
                <>
                  <span className="sr-only">Photo </span>
                  {place}
                  <span className="sr-only">, </span>
                </>
              )}
              <span className="sr-only sm:not-sr-only sm:ml-3 sm:inline-block sm:w-12 sm:text-right">
                {level * 100} %
              </span>
            </p>
            <Tool label="Zoom out" onClick={() => zoom(-1)} disabled={level === levels[0]}>
              <path d="M4 10h12" />
            </Tool>
            <Tool label="Zoom in" onClick={() => zoom(1)} disabled={level === levels.at(-1)}>
              <path d="M4 10h12M10 4v12" />
            </Tool>
            <Dialog.Close
              aria-label="Close"
              className="grid size-11 place-items-center rounded-full hover:bg-sunken"
            >
              <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
                <path d="m5 5 10 10M15 5 5 15" stroke="currentColor" strokeWidth="1.75" />
              </svg>
            </Dialog.Close>
          </div>
          {url !== undefined && (
            <Stage
              key={url}
              url={url}
              alt={`${title}, photo ${place}`}
              level={level}
              onLevel={setLevel}
              photoRef={photo}
            />
          )}
          {urls.length > 1 && (
            <div className="flex justify-center gap-6 border-line border-t py-1.5">
              <Tool label="Previous photo" onClick={() => show(index - 1)} disabled={index === 0}>
                <path d="m12.5 4-6 6 6 6" />
              </Tool>
              <Tool label="Next photo" onClick={() => show(index + 1)} disabled={index === last}>
                <path d="m7.5 4 6 6-6 6" />
              </Tool>
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
