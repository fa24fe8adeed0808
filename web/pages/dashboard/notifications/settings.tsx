import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { href } from 'react-router';
import {
  type ChosenTopic,
  chooseDelivery,
  chosenTopics,
  type Delivery,
  deliveries,
  readNotificationSettings,
} from '#contract/people/notifications.ts';
import { type PushState, readPushState, startPush, stopPush } from '../../../notifications/push.ts';
import { deliveryNames, topicNames } from '../../../notifications/topic-names.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Options, Select } from '../../../ui/field.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { ActionLink } from '../../../ui/text-link.tsx';
import { toast } from '../../../ui/toast.tsx';

const isDelivery = (value: string): value is Delivery => deliveries.some((delivery) => delivery === value);

function TopicSetting({ topic, delivery }: { topic: ChosenTopic; delivery: Delivery }) {
  const { name, contents } = topicNames[topic];
  const choose = useWrite(chooseDelivery, {
    scope: `delivery of ${topic}`,
    done: (_, { body }) =>
      `Emails about ${name.toLowerCase()}: ${deliveryNames[body.delivery].toLowerCase()}.`,
    untilRead: true,
  });
  return (
    <li className="py-3">
      <Field
        label={name}
        hint={contents}
        className="sm:grid sm:grid-cols-[1fr_11rem] sm:items-center sm:[&>p]:col-start-1 sm:[&>select]:row-span-2"
      >
        <Select
          value={choose.isPending ? choose.variables.body.delivery : delivery}
          onChange={({ target }) => {
            if (isDelivery(target.value))
              choose.mutate({ params: { topic }, body: { delivery: target.value } });
          }}
        >
          <Options values={deliveries} label={(each) => deliveryNames[each]} />
        </Select>
      </Field>
    </li>
  );
}

const stateKey = ['pushState'];

/** A message for a failed subscription. The browser's own errors are not for people. */
const pushError = (error: unknown): string =>
  error instanceof DOMException
    ? 'Your browser could not reach its push service, so nothing was turned on. Please check your connection and try again.'
    : errorMessage(error);

const explanations: Readonly<Record<PushState, string>> = {
  unsupported:
    'This browser cannot show notifications of this shop while its pages are closed. On an iPhone or iPad, add the shop to the home screen first.',
  denied:
    'Notifications of this shop are blocked in this browser. Allow them in the browser’s settings for this page, then reload it.',
  off: 'Notifications can appear on this device when the shop’s pages are closed. The browser asks you first.',
  on: 'Notifications appear on this device when the shop’s pages are closed, until you turn them off or sign out.',
};

/** Turns push messages to this browser on and off, and explains when that is not possible. */
function PushSetting({ pushKey }: { pushKey: string }) {
  const api = useApi();
  const cache = useQueryClient();
  const { data: state } = useQuery({ queryKey: stateKey, queryFn: readPushState, staleTime: 0 });
  const onSettled = () => cache.invalidateQueries({ queryKey: stateKey });
  const turnOn = useMutation({
    mutationFn: () => startPush(api, pushKey),
    onSuccess: (reached) => {
      if (reached === 'on') toast.success('This browser shows your notifications.');
    },
    onError: (error) => toast.error(pushError(error)),
    onSettled,
  });
  const turnOff = useMutation({
    mutationFn: () => stopPush(api),
    onSuccess: () => toast.success('This browser shows no more notifications.'),
    onError: (error) => toast.error(errorMessage(error)),
    onSettled,
  });
  if (state === undefined) return <Skeleton className="h-11 w-64" />;
  return (
    <>
      <p className="max-w-prose text-muted">{explanations[state]}</p>
      {state === 'off' && (
        <Button variant="secondary" busy={turnOn.isPending && 'Turning on'} onClick={() => turnOn.mutate()}>
          Notify me in this browser
        </Button>
      )}
      {state === 'on' && (
        <Button
          variant="secondary"
          busy={turnOff.isPending && 'Turning off'}
          onClick={() => turnOff.mutate()}
        >
          Turn off in this browser
        </Button>
      )}
    </>
  );
}

/** When notifications are emailed, and whether this browser shows them. */
export function Settings() {
  const settings = useRead(readNotificationSettings, {});
  return (
    <QueryView query={settings} what="your settings" skeleton="h-72">
      {({ deliveries: chosen, pushKey }) => (
        <div id="settings" className="flex flex-col gap-5">
          <CardSection title="Emails">
            <ul className="w-full divide-y divide-border">
              {chosenTopics.map((topic) => (
                <TopicSetting key={topic} topic={topic} delivery={chosen[topic]} />
              ))}
            </ul>
            <p className="max-w-prose text-muted">
              Emails ‘once a day’ arrive together after 08:00 UTC. What concerns your money, the safety of
              your account and your sales, or the shop itself is always emailed at once: you might have to act
              on it. Emails about saved searches are set{' '}
              <ActionLink to={href('/dashboard/savedSearches')}>with each search</ActionLink>.
            </p>
          </CardSection>
          <CardSection title="This browser">
            <PushSetting pushKey={pushKey} />
          </CardSection>
        </div>
      )}
    </QueryView>
  );
}
