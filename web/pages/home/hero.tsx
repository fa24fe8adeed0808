import { LinkButton } from '../../ui/button.tsx';
import { useSellLink } from '../sell-link.ts';
import avif640 from './open-laptop-640.avif?url';
import avif960 from './open-laptop-960.avif?url';
import webp from './open-laptop-960.webp?url';
import avif1280 from './open-laptop-1280.avif?url';

export function Hero() {
  return (
    <section className="page-width grid items-center gap-8 py-8 sm:py-12 lg:grid-cols-[1.02fr_1fr] lg:gap-12 lg:py-16">
      <div>
        <p className="mb-4 font-semibold text-quiet">Pre-owned laptops, shown as they are, since 2018</p>
        <h1 className="font-extrabold text-[2.6rem] leading-[0.98] tracking-[-0.035em] sm:text-6xl xl:text-7xl">
          BUY AND SELL CERTIFIED <span className="whitespace-nowrap">PRE-OWNED</span> LAPTOPS
        </h1>
        <p className="mt-6 font-display font-semibold text-lg text-quiet tracking-wide">
          DAILY DEALS. FREE SHIPPING
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <LinkButton to="#brands">Choose a laptop</LinkButton>
          <LinkButton look="secondary" to={useSellLink()}>
            Sell yours
          </LinkButton>
        </div>
      </div>
      <picture className="contents [&>source]:hidden">
        <source
          type="image/avif"
          srcSet={`${avif640} 640w, ${avif960} 960w, ${avif1280} 1280w`}
          sizes="(width >= 80rem) 37rem, (width >= 64rem) 46vw, 94vw"
        />
        <img
          src={webp}
          alt="An open silver laptop on warm paper, a sunrise on its screen"
          width={1280}
          height={960}
          fetchPriority="high"
          className="aspect-[4/3] w-full rounded-2xl bg-backdrop-photo object-cover lg:aspect-[1/1] xl:aspect-[5/4]"
        />
      </picture>
    </section>
  );
}
