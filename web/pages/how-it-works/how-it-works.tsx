import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import type { ShopFigures } from '#contract/sales/shop-figures.ts';
import { shippingNote } from '../../formats/shipping-note.ts';
import { Figures } from './figures.tsx';
import { type DefinedLevel, Levels } from './levels.tsx';
import { Operator } from './operator.tsx';

/** Deadlines of orders, in days. */
interface Days {
  /** How long the money is held without a meeting, a code or a complaint. */
  held: number;
  /** How long a seller can take to hand a parcel to a carrier. */
  sending: number;
  /** How long a parcel can be under way. */
  transit: number;
  /** How far ahead a meeting can be. */
  meeting: number;
  /** How long the money is held after a meeting. */
  afterMeeting: number;
  /** How long a buyer can complain after the release, or the arrival of the parcel. */
  complaint: number;
  /** How long a seller can take to answer a complaint. */
  answer: number;
  /** How long the shop can take to decide. */
  decision: number;
  /** How long a buyer can take to return the laptop. */
  return: number;
}

interface HowItWorksProps {
  legal: PublicShop['legal'];
  /** Null before there are enough sales. */
  figures: ShopFigures | null;
  levels: readonly DefinedLevel[];
  days: Days;
}

/** The ids and headings of the sections. */
const questions = {
  certified: 'What does certified mean?',
  money: 'Who holds my money?',
  broken: 'What if it is broken?',
  shipping: 'What does shipping cost?',
  not: 'What do I not get?',
  sellers: 'Who are the sellers?',
  operator: 'Who runs this shop?',
} as const;

function Section({ id, children }: { id: keyof typeof questions; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="max-w-prose">
      <h2 id={id} className="text-2xl sm:text-3xl">
        {questions[id]}
      </h2>
      <div className="mt-3 flex flex-col gap-3">{children}</div>
    </section>
  );
}

function Bullets({ children }: { children: ReactNode }) {
  return <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-muted">{children}</ul>;
}

/** The time line of a payment. */
function Money({ days }: { days: Days }) {
  const steps = [
    {
      title: 'You pay by card',
      text: 'The money goes to this shop. The seller reads that it is here, and gets nothing yet.',
    },
    {
      title: 'You meet, or it is sent',
      text: `The seller offers one of the two, or both. You agree with the seller on a place and a time, up to ${days.meeting} days ahead. Or the seller hands a parcel to a carrier within ${days.sending} days; otherwise the money goes back to you.`,
    },
    {
      title: 'You look',
      text: 'You compare the laptop with its page, and can measure it again if it was measured before. If it is not as shown, you complain: when you meet, you leave it with the seller and keep your code; from a parcel, you send it back.',
    },
    {
      title: 'The money is released',
      text: `When you meet, by the six digits in My Orders, which the seller enters. Without them it is released after ${days.held} days without a complaint; if you agree on a meeting, not before ${days.afterMeeting} days after it. After a parcel, when you say that all is well, or ${days.complaint} days after it has arrived.`,
    },
    {
      title: `${days.complaint} days to complain`,
      text: 'From the release on, or from the arrival of the parcel. While a complaint is open, the shop pays none of this money out.',
    },
    {
      title: 'The sale is complete',
      text: `After ${days.complaint} days without a complaint the money is the seller’s for good.`,
    },
  ];
  return (
    <ol className="ml-2 border-border-strong border-l-2">
      {steps.map(({ title, text }) => (
        <li key={title} className="relative pb-5 pl-6 last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-1.5 -left-[7px] size-3 rounded-full bg-success ring-4 ring-background"
          />
          <h3 className="font-sans font-semibold text-base tracking-normal">{title}</h3>
          <p className="mt-0.5 text-muted">{text}</p>
        </li>
      ))}
    </ol>
  );
}

function Broken({ days }: { days: Days }) {
  return (
    <>
      <p>
        You complain on the page of your order: it is not as described, it is locked, it does not work, you
        left it with the seller, or the seller did not come; of a parcel also that it arrived damaged, or not
        at all.
      </p>
      <Bullets>
        <li>
          The seller has {days.answer} days to agree, to offer a part of the price, or to contradict. Without
          an answer, the whole price goes back to you.
        </li>
        <li>
          If the seller contradicts, the shop decides within {days.decision} days. If it does not, the whole
          price goes back to you.
        </li>
        <li>
          If you have the laptop, you return it first, within {days.return} days, in person or by parcel; the
          two of you agree on how. The shop pays for no return. If you left it with the seller, or it never
          arrived, nothing has to come back.
        </li>
      </Bullets>
    </>
  );
}

function Missing() {
  return (
    <Bullets>
      <li>
        A warranty of this shop. It does not promise that a part works for long. If a maker or a seller still
        does, the seller’s words say so.
      </li>
      <li>A return because you changed your mind. Look before you give the code.</li>
      <li>An inspection from inside: nobody opens the laptop.</li>
      <li>Protection of money that you paid outside the shop.</li>
    </Bullets>
  );
}

function Sellers() {
  return (
    <>
      <p>
        People who sell a laptop that they used. Each has a page with what was sold, and with reviews that
        only the two people of a paid order can write.
      </p>
      <Bullets>
        <li>
          <strong className="font-semibold">Verified Seller:</strong> an admin of this shop has verified the
          seller. The seller’s page says what the shop has seen, a proof of address or an identity document,
          and on which day. The shop keeps no copy of it.
        </li>
        <li>
          <strong className="font-semibold">Phone number confirmed:</strong> the seller typed a code that the
          shop sent to this number.
        </li>
        <li>
          <strong className="font-semibold">Not Verified:</strong> the shop has not verified the seller.
        </li>
      </Bullets>
    </>
  );
}

function Contents() {
  return (
    <nav aria-labelledby="contents" className="lg:sticky lg:top-24 lg:self-start">
      <h2 id="contents" className="font-sans font-semibold text-base tracking-normal">
        On this page
      </h2>
      <ul className="mt-3 flex flex-col gap-1">
        {Object.entries(questions).map(([id, question]) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="inline-block py-1 text-link leading-snug underline-offset-4 hover:underline"
            >
              {question}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What a buyer asks first: levels, held money, complaints, what is not given, sellers and operator. */
export function HowItWorks({ legal, figures, levels, days }: HowItWorksProps) {
  return (
    <div className="page-width grid gap-x-16 gap-y-10 pt-10 sm:pt-14 lg:grid-cols-[minmax(0,1fr)_15rem]">
      <header className="lg:col-span-2">
        <h1 className="text-4xl sm:text-5xl">How it works</h1>
        <p className="mt-4 max-w-prose text-lg text-muted">
          You buy a laptop from the person who used it. The shop says what was checked and what was not, and
          holds your money until you have looked.
        </p>
      </header>
      <div className="lg:col-start-2 lg:row-start-2">
        <Contents />
      </div>
      <div className="flex min-w-0 flex-col gap-12">
        <Section id="certified">
          <p>
            Each laptop says how it was checked. Those that were measured or inspected have a certificate,
            signed by this shop. It says fact by fact who has seen it, and anybody can{' '}
            <Link to={href('/verify')} className="link">
              verify it
            </Link>{' '}
            without asking us.
          </p>
          <Levels levels={levels} />
        </Section>
        <Section id="money">
          <p>This shop does, from your payment until you have looked at the laptop.</p>
          <Money days={days} />
        </Section>
        <Section id="broken">
          <Broken days={days} />
        </Section>
        <Section id="shipping">
          <p>{shippingNote}</p>
          <Bullets>
            <li>Each laptop says how you get it. A parcel stays in its country, because of the battery.</li>
            <li>The seller reads your address once you have paid.</li>
            <li>
              The seller bears a lost parcel: if it has not arrived {days.transit} days after it was sent, and
              nobody proves that it did, the money goes back to you.
            </li>
          </Bullets>
        </Section>
        <Section id="not">
          <Missing />
          <p>None of this limits the rights that the law of your country gives you.</p>
        </Section>
        <Section id="sellers">
          <Sellers />
        </Section>
        <Section id="operator">
          <Operator legal={legal} />
          {figures !== null && <Figures figures={figures} />}
        </Section>
      </div>
    </div>
  );
}
