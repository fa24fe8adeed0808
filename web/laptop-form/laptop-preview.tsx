import { useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { factFields, readFacts } from '#contract/listings/facts.ts';
import { toLevelMark } from '../formats/level-mark.ts';
import { factsLine } from '../laptops/facts-line.ts';
import { LaptopTile } from '../laptops/laptop-tile.tsx';
import { parsePrice } from './form-values.ts';
import type { FormPhoto } from './photo-list.ts';
import { useLaptopForm } from './use-laptop-form.ts';
import { useObjectUrl } from './use-object-url.ts';

/** A transparent picture for the tile, which always has a photo. */
const noPhoto = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'/>";

/** The URL of a photo for display; null when there is none or the browser cannot decode it. */
function useShownPhoto(photo: FormPhoto | undefined) {
  const objectUrl = useObjectUrl(photo instanceof File ? photo : null);
  const [unshowable, setUnshowable] = useState<string | null>(null);
  const url = typeof photo === 'string' ? photo : objectUrl;
  return { url: url === unshowable ? null : url, onError: () => setUnshowable(url) };
}

/** A price; 0 until the text is one. */
function typedPrice(text: string): number {
  const price = parsePrice(text);
  return typeof price === 'number' ? price : 0;
}

interface LaptopPreviewProps {
  sellerName: string;
  sellerVerified: boolean;
}

/** The laptop's tile in lists, with the values of the form. Without links or controls. */
export function LaptopPreview({ sellerName, sellerVerified }: LaptopPreviewProps) {
  const { control } = useLaptopForm();
  const titleId = useId();
  const [name, original, resale, condition, delivery, location, [photo]] = useWatch({
    control,
    name: ['name', 'original_price', 'resale_price', 'condition', 'delivery', 'location', 'photo'],
  });
  const configuration = useWatch({ control, name: factFields });
  const { url, onError } = useShownPhoto(photo);
  const price = typedPrice(resale);
  const texts = Object.fromEntries(factFields.map((field, index) => [field, configuration[index]]));
  return (
    <aside aria-labelledby={titleId} className="sticky top-26">
      <h2 id={titleId} className="mb-3 text-lg">
        Preview
      </h2>
      {/* Most browsers cannot show HEIC. */}
      <div inert onErrorCapture={onError} className={`relative ${url === null ? '[&_img]:bg-subtle' : ''}`}>
        <LaptopTile
          eager
          movesPhoto={false}
          isForSale={false}
          laptop={{
            _id: '',
            url: '',
            name: name.trim() || 'Product Name',
            image: url ?? noPhoto,
            facts: factsLine(readFacts(texts)),
            condition,
            delivery,
            level: toLevelMark({ level: 'word' }),
            // The saving is shown once both prices are typed.
            original_price: price === 0 ? 0 : typedPrice(original),
            resale_price: price,
            sellers_name: sellerName,
            sellerVerified,
            location: location.trim() || 'Location',
          }}
        />
        {url === null && (
          <p className="absolute inset-x-0 top-0 grid aspect-4/3 place-content-center p-4 text-center text-muted text-sm">
            {photo === undefined
              ? 'Your first photo goes here'
              : 'This browser cannot show the first photo before it is uploaded'}
          </p>
        )}
      </div>
      <p className="mt-3 text-muted text-sm">Buyers see this in lists.</p>
    </aside>
  );
}
