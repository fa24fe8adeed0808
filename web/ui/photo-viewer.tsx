import 'yet-another-react-lightbox/styles.css';
import 'yet-another-react-lightbox/plugins/captions.css';
import 'yet-another-react-lightbox/plugins/counter.css';
import { Dialog } from '@base-ui/react/dialog';
import { useRef } from 'react';
import Lightbox, { type SlideImage } from 'yet-another-react-lightbox';
import Captions from 'yet-another-react-lightbox/plugins/captions';
import Counter from 'yet-another-react-lightbox/plugins/counter';
import Inline from 'yet-another-react-lightbox/plugins/inline';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import { photoSources } from '#contract/listings/photo-names.ts';
import { CloseButton } from './dialog.tsx';

const plugins = [Inline, Captions, Counter, Zoom];

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

function toSlide(url: string, alt: string, caption: string | undefined): SlideImage {
  const { src, width, height, webp = '' } = photoSources(url);
  const slide = { src, alt, ...(caption !== undefined && { description: caption }) };
  if (width === undefined || height === undefined) return slide;
  const srcSet = [...webp.matchAll(/(?<!\S)(\S+) (\d+)w/g)].map(([, variant = src, size]) => ({
    src: variant,
    width: Number(size),
    height: Math.round((Number(size) * height) / width),
  }));
  return { ...slide, width, height, srcSet };
}

/** The lightbox in the colours of the theme. */
const styles = {
  root: {
    '--yarl__color_backdrop': 'var(--background)',
    '--yarl__color_button': 'var(--foreground)',
    '--yarl__color_button_active': 'var(--accent)',
    '--yarl__color_button_disabled': 'var(--border-strong)',
    '--yarl__button_filter': 'none',
    '--yarl__counter_filter': 'none',
    '--yarl__slide_captions_container_background': 'var(--surface)',
    '--yarl__slide_description_color': 'var(--foreground)',
  },
} as const;

/**
 * A full-window photo viewer: swipe and arrow keys show other photos; pinch, double tap, wheel, + and − zoom; Escape closes. The lightbox
 * is inside our dialog, which traps the focus and returns it.
 */
export function PhotoViewer(props: PhotoViewerProps) {
  const { open, title, urls, captions = {}, index, onShow, onClose, finalFocus } = props;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>('.yarl__container') ?? true}
          finalFocus={finalFocus}
          className="fixed inset-0 z-50 flex flex-col bg-background text-foreground transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0 [&_button:focus-visible]:outline-3! [&_button:focus-visible]:outline-accent!"
        >
          <div className="flex items-center justify-between gap-2 border-border border-b py-1.5 pr-2 pl-4">
            <Dialog.Title className="min-w-0 text-base leading-tight sm:text-lg">{title}</Dialog.Title>
            <CloseButton />
          </div>
          <Lightbox
            plugins={plugins}
            slides={urls.map((url, at) =>
              toSlide(url, captions[url] ?? `${title}, photo ${at + 1} of ${urls.length}`, captions[url]),
            )}
            index={index}
            on={{ view: ({ index: shown }) => onShow(shown) }}
            inline={{ className: 'min-h-0 flex-1' }}
            carousel={{ finite: true, padding: 0 }}
            // The dialog does it.
            controller={{ closeOnEscape: false }}
            counter={{ separator: 'of' }}
            captions={{ descriptionTextAlign: 'center' }}
            zoom={{ maxZoomPixelRatio: 4, scrollToZoom: true }}
            labels={{ Previous: 'Previous photo', Next: 'Next photo' }}
            styles={styles}
            {...(urls.length === 1 && { render: { buttonPrev: () => null, buttonNext: () => null } })}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
