import { data, href } from 'react-router';
import { readSubscription } from '#contract/listings/subscriptions.ts';
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

/** The button stops the emails, not the visit: mail scanners open links. The form works without scripts. */
export default function UnsubscribePage({
  loaderData: { subscription, failure },
  params: { token },
}: Route.ComponentProps) {
  const toSearches = <SecondaryLink to={href('/dashboard/savedSearches')}>Your saved searches</SecondaryLink>;
  if (subscription === null) {
    return (
      <CardPage title="Stop emails">
        <p>{failure}</p>
        {toSearches}
      </CardPage>
    );
  }
  const { name, topic, active } = subscription;
  const isOfSearch = topic === null;
  if (isOfSearch && name === null) {
    return (
      <CardPage title="No more emails">
        <p>This search was deleted, so there are no more emails about it.</p>
        <LinkButton to={href('/laptops')}>Search laptops</LinkButton>
      </CardPage>
    );
  }
  const emails = (
    <>
      {isOfSearch && 'emails about your saved search '}
      <strong>{isOfSearch ? name : emailNames[topic]}</strong>
    </>
  );
  const settings = isOfSearch ? (
    toSearches
  ) : (
    <SecondaryLink to={href('/dashboard/notifications')}>Your notifications and settings</SecondaryLink>
  );
  if (!active) {
    return (
      <CardPage title="Emails stopped">
        <p role="status" className="wrap-anywhere">
          We send you no more {emails}.{' '}
          {isOfSearch
            ? 'Your other saved searches are unchanged.'
            : 'You still find everything among your notifications in the shop.'}
        </p>
        <p className="text-muted">
          {isOfSearch
            ? 'The search is still saved. To get its emails again, choose Resume on the page of your saved searches.'
            : 'To get these emails again, change it in your settings.'}
        </p>
        {settings}
      </CardPage>
    );
  }
  return (
    <CardPage title="Stop emails">
      <p className="wrap-anywhere">Do you want no more {emails}?</p>
      <form method="post" action={href('/unsubscribe/:token', { token })} className="flex flex-col">
        <input type="hidden" name="page" value="yes" />
        <Button type="submit">Stop the emails</Button>
      </form>
      <p className="text-muted text-sm">
        {isOfSearch
          ? 'The search stays saved. You can stop the emails without logging in; log in to resume them.'
          : 'You can stop them without logging in. Emails about your money and the safety of your account are still sent.'}
      </p>
      {settings}
    </CardPage>
  );
}
