import { href } from 'react-router';
import { levels } from '#contract/listings/level-names.ts';
import { AFTER_MEETING_MS, deadlineDays, MAXIMUM_MEETING_DAYS } from '#contract/money/order-states.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { readShopFigures } from '#contract/sales/shop-figures.ts';
import { deferHydration } from '../../deferred-hydration.tsx';
import { toLevelMark } from '../../formats/level-mark.ts';
import { levelDefinitions } from '../../laptops/definitions.server.tsx';
import { publicMeta } from '../../metadata/page-meta.ts';
import { orNull, serverContext } from '../../server-context.ts';
import type { Route } from './+types/page.ts';
import { HowItWorks } from './how-it-works.tsx';
import type { DefinedLevel } from './levels.tsx';
import { readExamples } from './read-examples.ts';

export const handle = deferHydration;

/** The page is complete without figures and examples: what cannot be read is reported and left out. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(serverContext);
  const { client } = site;
  const [figures, settings, examples] = await Promise.all([
    orNull(site, client.call(readShopFigures, {})),
    orNull(site, client.call(readSettings, {})),
    readExamples(site),
  ]);
  const { legal, contact } = site.shop;
  return {
    shop: { legal, contact },
    payoutAfter: settings?.selling.payoutAfter ?? null,
    figures: figures?.figures ?? null,
    levels: levels.map((level): DefinedLevel => {
      const { tone, text } = toLevelMark({ level });
      return { level, tone, text, definition: levelDefinitions[level], example: examples[level] ?? null };
    }),
    days: {
      held: deadlineDays('held'),
      sending: deadlineDays('to_ship'),
      transit: deadlineDays('shipped'),
      meeting: MAXIMUM_MEETING_DAYS,
      afterMeeting: AFTER_MEETING_MS / DAY_MS,
      complaint: deadlineDays('released'),
      answer: deadlineDays('complaint'),
      decision: deadlineDays('contested'),
      return: deadlineDays('awaiting_return'),
    },
    // Made here, so that browsers need no code for it.
    meta: publicMeta({
      title: 'How it works',
      description:
        'What certified means here, who holds your money and for how long, what you can complain about, what you do not get, and who runs this shop.',
      path: href('/how-it-works'),
      site,
    }),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.meta ?? [];

export default function HowItWorksPage({ loaderData: { meta: _, ...shown } }: Route.ComponentProps) {
  return <HowItWorks {...shown} />;
}
