import { useShop } from '../../session/session.tsx';
import avif640 from './desk-640.avif?url';
import avif960 from './desk-960.avif?url';
import webp from './desk-960.webp?url';
import avif1280 from './desk-1280.avif?url';

const reasons = [
  {
    title: 'Care for customers and planet',
    text: 'You buy from a person with a name and a phone number, and agree with them on where to meet. Every laptop kept in use is one fewer to build.',
  },
  {
    title: 'Thoroughly tested',
    text: 'Each page has the photos that its seller took, and says who checked the laptop: its seller alone, the laptop itself in a measurement, or we in an inspection. Measured laptops have a certificate that anybody can verify, and what could not be read is called unknown.',
  },
  {
    title: 'Why buy pre-owned',
    text: 'The steepest price drop is behind it; years of use lie ahead. Each laptop shows its original price beside its resale price, so you see what you save.',
  },
];

export function Why() {
  return (
    <section
      id="why"
      aria-labelledby="why-title"
      className="page-width grid gap-8 pt-20 lg:grid-cols-2 lg:gap-14"
    >
      <picture className="contents [&>source]:hidden">
        <source
          type="image/avif"
          srcSet={`${avif640} 640w, ${avif960} 960w, ${avif1280} 1280w`}
          sizes="(width >= 80rem) 36rem, (width >= 64rem) 46vw, 94vw"
        />
        <img
          src={webp}
          alt="A used laptop on our inspection desk between tools: its screen lists what was measured and tested"
          width={1280}
          height={960}
          loading="lazy"
          decoding="async"
          className="aspect-[4/3] w-full rounded-2xl bg-photo object-cover lg:aspect-auto lg:h-full"
        />
      </picture>
      <div>
        <h2 id="why-title" className="text-3xl sm:text-4xl">
          Why {useShop().name}
        </h2>
        <dl className="mt-6 divide-y divide-border border-border border-y">
          {reasons.map((reason) => (
            <div key={reason.title} className="py-6">
              <dt className="font-bold font-display text-xl tracking-tight">{reason.title}</dt>
              <dd className="mt-2 max-w-prose text-muted">{reason.text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
