import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import mp4 from './hero-loop.mp4?url';
import webm from './hero-loop.webm?url';
import posterAvif from './hero-loop-poster.avif?url';
import posterWebp from './hero-loop-poster.webp?url';

const reducedMotion = '(prefers-reduced-motion: reduce)';

function prefersReducedData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null;
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'saveData' in connection &&
    connection.saveData === true
  );
}

/** True after the load event, unless the user prefers reduced motion or reduced data. */
function useAutoplay(): boolean {
  const [isAutoplaying, setIsAutoplaying] = useState(false);
  useEffect(() => {
    if (matchMedia(reducedMotion).matches || prefersReducedData()) return;
    const begin = () => setIsAutoplaying(true);
    if (document.readyState === 'complete') {
      begin();
      return;
    }
    addEventListener('load', begin, { once: true });
    return () => removeEventListener('load', begin);
  }, []);
  return isAutoplaying;
}

/** The hero video over its poster, with a button to pause and play. */
export function HeroVideo() {
  const hydrated = useHydrated();
  const isAutoplaying = useAutoplay();
  const [isRequested, setIsRequested] = useState(false);
  const [playing, setPlaying] = useState(false);
  const videoRef = useRef<HTMLVideoElement>(null);

  function toggle() {
    const video = videoRef.current;
    if (video === null) setIsRequested(true);
    else if (video.paused) video.play().catch(() => setPlaying(false));
    else video.pause();
  }

  return (
    <div className="relative aspect-[4/3] overflow-hidden rounded-2xl bg-photo">
      <picture className="contents [&>source]:hidden">
        <source type="image/avif" srcSet={posterAvif} />
        <img
          src={posterWebp}
          alt="A used silver laptop, open on warm paper"
          width={1280}
          height={960}
          fetchPriority="high"
          className="size-full object-cover"
        />
      </picture>
      {(isAutoplaying || isRequested) && (
        // The poster's alt text describes it. It is silent, so it needs no captions.
        <video
          ref={videoRef}
          autoPlay
          muted
          loop
          playsInline
          preload="none"
          aria-hidden="true"
          tabIndex={-1}
          width={1280}
          height={960}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          className="absolute inset-0 size-full object-cover"
        >
          <source src={webm} type="video/webm" />
          <source src={mp4} type="video/mp4" />
        </video>
      )}
      {hydrated && (
        <button
          type="button"
          onClick={toggle}
          aria-label={playing ? 'Pause the video' : 'Play the video'}
          className="absolute right-3 bottom-3 grid size-11 place-items-center rounded-full border border-border-strong bg-surface hover:bg-subtle"
        >
          <Icon name={playing ? 'pause' : 'play'} fill="currentColor" className="size-4" />
        </button>
      )}
    </div>
  );
}
