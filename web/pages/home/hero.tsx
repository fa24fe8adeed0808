import { useSellLink } from '../../layout/use-sell-link.ts';
import { LinkButton } from '../../ui/button.tsx';
import { HeroVideo } from './hero-video.tsx';

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
          <LinkButton variant="secondary" to={useSellLink()}>
            Sell yours
          </LinkButton>
        </div>
      </div>
      <HeroVideo />
    </section>
  );
}
