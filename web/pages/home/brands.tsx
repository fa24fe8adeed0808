import { href, Link, useRevalidator } from 'react-router';
import type { Brand } from '#contract/catalogue.ts';
import { Photo } from '../../ui/photo.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';

function BrandCard({ brand }: { brand: Brand }) {
  return (
    <li>
      <Link
        to={href('/category/:id', { id: brand.category_Id })}
        className="group block overflow-hidden rounded-2xl border border-line bg-surface"
      >
        <Photo
          url={brand.image}
          alt=""
          sizes="(width >= 80rem) 26rem, (width >= 48rem) 33vw, 94vw"
          className="aspect-[2/1] w-full object-cover"
        />
        <span className="flex items-center justify-between px-5 py-3">
          <span className="font-display font-extrabold text-2xl tracking-tight">{brand.category_Id}</span>
          <span className="font-semibold text-aubergine underline-offset-4 group-hover:underline">
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
    <section id="brands" aria-labelledby="brands-title" className="page-width scroll-mt-16 pt-16">
      <h2 id="brands-title" className="text-3xl sm:text-4xl">
        Product Categories
      </h2>
      <p className="mt-2 text-lg text-quiet">Choose your favorite brand</p>
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
          <ul className="grid gap-5 md:grid-cols-3">
            {brands.map((brand) => (
              <BrandCard key={brand._id} brand={brand} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
