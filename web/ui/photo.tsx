import { photoSources } from '#contract/listings/photo-names.ts';

interface PhotoProps {
  url: string;
  alt: string;
  /** The `sizes` attribute. */
  sizes: string;
  /** Loads at once and with high priority instead of lazily. */
  eager?: boolean;
  /** Unless eager, lets other resources load first, such as the photo that is painted largest. For the photos of a list. */
  hasLowPriority?: boolean;
  className?: string;
}

/** A responsive image with a blurred placeholder while it loads. */
export function Photo({ url, alt, sizes, eager = false, hasLowPriority = false, className }: PhotoProps) {
  const { src, avif, webp, width, height, placeholder } = photoSources(url);
  return (
    <picture className="contents [&>source]:hidden">
      {avif !== undefined && <source type="image/avif" srcSet={avif} sizes={sizes} />}
      {webp !== undefined && <source type="image/webp" srcSet={webp} sizes={sizes} />}
      <img
        src={src}
        alt={alt}
        width={width ?? 1280}
        height={height ?? 960}
        loading={eager ? 'eager' : 'lazy'}
        // The most important photo is painted with the text, not after it.
        decoding={eager ? 'sync' : 'async'}
        fetchPriority={eager ? 'high' : hasLowPriority ? 'low' : undefined}
        className={`bg-photo bg-cover ${className ?? ''}`}
        {...(placeholder !== undefined && { style: { backgroundImage: `url(${placeholder})` } })}
      />
    </picture>
  );
}
