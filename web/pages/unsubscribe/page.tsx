import { data, href } from 'react-router';
import { readSubscription, type SubscribedTopic } from '#contract/listings/subscriptions.ts';
import { Problem } from '#contract/platform/client.ts';
import { CardPage } from '../../layout/card-page.tsx';
import { tokenMeta } from '../../metadata/token-meta.ts';
import { emailNames } from '../../notifications/topic-names.ts';
import { serverContext } from '../../server-context.ts';
import { Button, LinkButton, SecondaryLink } from '../../ui/button.tsx';
import type { Route } from './+types/page.ts';

export const meta = tokenMeta('Stop emails');

export async function loader({ params, context }: Route.LoaderArgs) {
  const { client } = context.get(serverContext);
  const headers = { 'cache-control': 'no-store' };
  try {
    const subscription = await client.call(readSubscription, { params: { token: params.token } });
    return data({ subscription, failure: null }, { headers });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const status = error.status === 0 ? 503 : error.status;
    return data({ subscription: null, failure: error.message }, { status, headers });
  }
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

function StopForm({ token }: { token: string }) {
  return (
    <form method="post" action={href('/unsubscribe/:token', { token })} className="flex flex-col">
      <input type="hidden" name="page" value="yes" />
      <Button type="submit">Stop the emails</Button>
    </form>
  );
}

function ToSettings() {
  return <SecondaryLink to={href('/dashboard/notifications')}>Your notifications and settings</SecondaryLink>;
}

/** The emails of a topic of notifications, or the daily ones of all topics. */
function OfNotifications({
  topic,
  active,
  token,
}: {
  topic: SubscribedTopic;
  active: boolean;
  token: string;
}) {
  const emails = emailNames[topic];
  if (!active) {
    return (
      <CardPage title="Emails stopped">
        <p role="status">
          We send you no more <strong>{emails}</strong>. You still find everything among your notifications in
          the shop.
        </p>
        <p className="text-muted">To get these emails again, change it in your settings.</p>
        <ToSettings />
      </CardPage>
    );
  }
  return (
    <CardPage title="Stop emails">
      <p>
        Do you want no more <strong>{emails}</strong>?
      </p>
      <StopForm token={token} />
      <p className="text-muted text-sm">
        You can stop them without logging in. Emails about your money and the safety of your account are still
        sent.
      </p>
      <ToSettings />
    </CardPage>
  );
}

/** The button stops the emails, not the visit: mail scanners open links. The form works without scripts. */
export default function UnsubscribePage({
  loaderData: { subscription, failure },
  params,
}: Route.ComponentProps) {
  if (subscription === null) {
    return (
      <CardPage title="Stop emails">
        <p>{failure}</p>
        <SecondaryLink to={href('/dashboard/savedSearches')}>Your saved searches</SecondaryLink>
      </CardPage>
    );
  }
  const { name, topic, active } = subscription;
  if (topic !== null) return <OfNotifications topic={topic} active={active} token={params.token} />;
  if (name === null) {
    return (
      <CardPage title="No more emails">
        <p>This search was deleted, so there are no more emails about it.</p>
        <LinkButton to={href('/laptops')}>Search laptops</LinkButton>
      </CardPage>
    );
  }
  if (!active) {
    return (
      <CardPage title="Emails stopped">
        <p role="status" className="wrap-anywhere">
          We send no more emails about your saved search <strong>{name}</strong>. Your other saved searches
          are unchanged.
        </p>
        <p className="text-muted">
          The search is still saved. To get its emails again, choose Resume on the page of your saved
          searches.
        </p>
        <SecondaryLink to={href('/dashboard/savedSearches')}>Your saved searches</SecondaryLink>
      </CardPage>
    );
  }
  return (
    <CardPage title="Stop emails">
      <p className="wrap-anywhere">
        Do you want no more emails about your saved search <strong>{name}</strong>?
      </p>
      <StopForm token={params.token} />
      <p className="text-muted text-sm">
        The search stays saved. You can stop the emails without logging in; log in to resume them.
      </p>
    </CardPage>
  );
}
