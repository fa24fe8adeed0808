import type { Slip } from '#contract/listings/photo-kinds.ts';
import { Photo } from '../ui/photo.tsx';

/** For admins: the photos of a slip beside the code that it must have. */
export function SlipCheck({ slip: { code, photos } }: { slip: Slip }) {
  if (photos.length === 0) return <p className="text-muted text-sm">No photo shows a slip with the code.</p>;
  return (
    <figure className="flex flex-wrap items-center gap-4">
      {photos.map((url) => (
        <Photo
          key={url}
          url={url}
          alt="The slip, photographed by the seller"
          sizes="256px"
          className="aspect-4/3 w-64 max-w-full rounded-lg object-contain"
        />
      ))}
      <figcaption>
        <span className="block text-muted text-sm">The slip must have this code:</span>
        <strong className="figures text-2xl tracking-widest">{code}</strong>
      </figcaption>
    </figure>
  );
}
