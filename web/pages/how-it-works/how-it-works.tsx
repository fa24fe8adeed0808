import type { ReactNode } from 'react';
import { href } from 'react-router';
import type { PayoutAfter, PublicShop } from '#contract/platform/shop-settings.ts';
import type { ShopFigures } from '#contract/sales/shop-figures.ts';
import { shippingNote } from '../../formats/shipping-note.ts';
import { OnThisPage } from '../../layout/on-this-page.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Figures } from './figures.tsx';
import { type DefinedLevel, Levels } from './levels.tsx';

/** Who runs the shop, as far as the settings say it. */
function Operator({ shop: { legal, contact } }: { shop: Pick<PublicShop, 'legal' | 'contact'> }) {
  const { company, address, registerNumber, vatNumber } = legal;
  const entries = [
    ['Name', company],
    ['Address', address],
    ['Register number', registerNumber],
    ['VAT number', vatNumber],
    ['Email', contact.email],
    ['Phone', contact.phone],
  ].flatMap(([name = '', value]) => (value === '' ? [] : [{ name, value }]));
  if (entries.length === 0) {
    return (
      <p>
        The operator of this shop has not said so here yet. Ask before you pay: you should know who holds it.
      </p>
    );
  }
  return <FactList facts={entries} />;
}

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
  shop: Pick<PublicShop, 'legal' | 'contact'>;
  /** Null when it could not be read. */
  payoutAfter: PayoutAfter | null;
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

/** When the seller is paid, at the end of the sale. */
const payouts: Readonly<Record<PayoutAfter, string>> = {
  completed: ' Only now the shop pays the seller.',
  release: ' The shop has paid the seller since the release.',
};

/** The time line of a payment. */
function Money({ days, payoutAfter }: { days: Days } & Pick<HowItWorksProps, 'payoutAfter'>) {
  const steps = [
    {
      title: 'You pay by card',
      text: 'The money goes to this shop, through its card processor. The seller is told of the payment, and gets nothing yet.',
    },
    {
      title: 'You meet, or it is sent',
      text: `The seller offers one of the two, or both. You agree with the seller on a place and a time, up to ${days.meeting} days ahead. Or the seller hands a parcel to a carrier within ${days.sending} days; otherwise the money goes back to you.`,
    },
    {
      title: 'You look',
      text: 'You compare the laptop with its page, and can measure it again if it was measured before. If it is not as shown, you complain on the page of your order. When you meet, you then leave it with the seller, and give no code.',
    },
    {
      title: 'The money is released',
      text: `When you meet, you give the seller your code: six digits in My Orders, which the seller enters. Of a parcel, you say in My Orders that all is well. If you do neither, complain in time: without a complaint the money is released ${days.held} days after your payment, or ${days.afterMeeting} days after the meeting on which you agreed; of a parcel, ${days.complaint} days after it has arrived.`,
    },
    {
      title: `${days.complaint} days to complain`,
      text: 'When you met, they begin with the release; of a parcel, with its arrival. While a complaint is open, the shop pays none of this money out.',
    },
    {
      title: 'The sale is complete',
      text: `After these days without a complaint the money is the seller’s for good.${payoutAfter === null ? '' : payouts[payoutAfter]}`,
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
          an answer, you get the whole price back, after the laptop if you have it. Only about a parcel that
          its carrier reports as delivered, the shop decides.
        </li>
        <li>
          If the seller contradicts, the shop compares the laptop’s page with the photos and words of both,
          and decides within {days.decision} days. If it does not, you get the whole price back.
        </li>
        <li>
          If you have the laptop, you return it before you get the whole price, within {days.return} days, in
          person or by parcel. A return label that your order offers costs you nothing; otherwise the two of
          you agree on how, and on who pays for the way back. If you left it with the seller, or it never
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
      <li>A return because you changed your mind. When you meet, look before you give the code.</li>
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
          seller. The seller’s page says on which day, and whether the shop has seen a proof of address or an
          identity document. The shop keeps no copy of it.
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

/** What a buyer asks first: levels, held money, complaints, what is not given, sellers and operator. */
export function HowItWorks({ shop, payoutAfter, figures, levels, days }: HowItWorksProps) {
  return (
    <div className="page-width grid gap-x-16 gap-y-10 pt-10 sm:pt-14 lg:grid-cols-[minmax(0,1fr)_15rem]">
      <header className="lg:col-span-2">
        <h1 className="text-4xl sm:text-5xl">How it works</h1>
        <p className="mt-4 max-w-prose text-lg text-muted">
          You buy a laptop from the person who used it. The shop says what was checked and what was not, and
          holds your money until you had time to look.
        </p>
      </header>
      <div className="lg:col-start-2 lg:row-start-2">
        <OnThisPage links={Object.entries(questions)} />
      </div>
      <div className="flex min-w-0 flex-col gap-12">
        <Section id="certified">
          <p>
            A certified laptop has a certificate, signed by this shop: it was measured or inspected. Not every
            laptop here is; each says how it was checked. The certificate says fact by fact who has seen it,
            and anybody can <TextLink to={href('/verify')}>verify it</TextLink> without asking us.
          </p>
          <Levels levels={levels} />
          <p>
            A measurement is made by the seller’s own laptop. Whoever controls it can make it report anything,
            and a lock that was not found may still exist: measure it again when you look at it.
          </p>
        </Section>
        <Section id="money">
          <p>This shop does, from your payment until you had time to look at the laptop.</p>
          <Money days={days} payoutAfter={payoutAfter} />
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
          <Operator shop={shop} />
          {figures !== null && <Figures figures={figures} />}
        </Section>
      </div>
    </div>
  );
}
