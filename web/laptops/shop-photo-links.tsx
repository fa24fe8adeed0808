import { Photo } from '../ui/photo.tsx';

interface ShopPhotoLinksProps {
  urls: readonly string[];
  /** The width of a photo, as the attribute `sizes`. */
  sizes: string;
  className?: string;
}

/** The photos that the shop took of a laptop. Each leads to the photo itself. */
export function ShopPhotoLinks({ urls, sizes, className = '' }: ShopPhotoLinksProps) {
  return (
    <ul className={`grid grid-cols-2 gap-3 ${className}`}>
      {urls.map((url, index) => (
        <li key={url}>
          <a href={url} className="block rounded-lg">
            <Photo
              url={url}
              alt={`Photo by the shop, ${index + 1} of ${urls.length}`}
              sizes={sizes}
              className="aspect-4/3 w-full rounded-lg object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}
