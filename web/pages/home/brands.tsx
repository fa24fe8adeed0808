import { href, Link, useRevalidator } from 'react-router';
import type { Brand } from '#contract/listings/catalogue.ts';
import { Photo } from '../../ui/photo.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';

function BrandCard({ brand }: { brand: Brand }) {
  return (
    <li>
      <Link
        to={href('/category/:id', { id: brand.category_Id })}
        className="group relative block h-full overflow-hidden rounded-2xl border border-border bg-surface"
      >
        {/* In the dark theme the bright picture is darkened. */}
        <span className="block bg-tint">
          <Photo
            url={brand.image}
            alt=""
            sizes="(width >= 80rem) 26rem, 33vw"
            className="aspect-[4/3] w-full object-cover mix-blend-multiply sm:aspect-[2/1]"
          />
        </span>
        <span className="flex items-center justify-center px-2 py-2 md:justify-between md:px-5 md:py-3">
          <span className="font-display font-extrabold text-lg tracking-tight [overflow-wrap:anywhere] md:text-2xl">
            {brand.category_Id}
          </span>{' '}
          <span className="font-semibold text-link underline-offset-4 group-hover:underline max-md:sr-only">
            See laptops
          </span>
        </span>
      </Link>
    </li>
  );
}

/** The brands of the shop. @param props.brands null when loading failed */
export function Brands({ brands }: { brands: Brand[] | null }) {
  const { revalidate, state } = useRevalidator();
  return (
    <section id="brands" aria-labelledby="brands-title" className="page-width pt-16">
      <h2 id="brands-title" className="text-3xl sm:text-4xl">
        Product Categories
      </h2>
      <p className="mt-2 text-lg text-muted">Choose your favorite brand</p>
      <div className="mt-6">
        {brands === null ? (
          <ErrorState
            title="The brands could not be loaded"
            message="Everything else on this page works. Please try again in a moment."
            onRetry={() => void revalidate()}
            retrying={state === 'loading'}
          />
        ) : brands.length === 0 ? (
          <EmptyState title="No brands yet">The shop is being set up. Please come back soon.</EmptyState>
        ) : (
          <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5.5rem),1fr))] gap-2.5 sm:grid-cols-3 sm:gap-5">
            {brands.map((brand) => (
              <BrandCard key={brand._id} brand={brand} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
