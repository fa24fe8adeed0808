import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type * as z from 'zod/mini';
import {
  type ChosenTopic,
  chooseDelivery,
  chosenTopics,
  type Delivery,
  deliveries,
  readNotificationSettings,
} from '#contract/people/notifications.ts';
import { deliveryNames, topicNames } from '../../../notifications/topic-names.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { QueryView, StaleDataNotice } from '../../../requests/query-view.tsx';
import { useApi } from '../../../session/session.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { PushSetting } from './push-setting.tsx';

const settingsKey = ['notificationSettings'];

type NotificationSettings = z.infer<typeof readNotificationSettings.answer>;

const isDelivery = (value: string): value is Delivery => deliveries.some((delivery) => delivery === value);

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card">
      <h2 className="text-xl">{title}</h2>
      <div className="mt-3 flex flex-col items-start gap-4">{children}</div>
    </section>
  );
}

function TopicSetting({ topic, delivery }: { topic: ChosenTopic; delivery: Delivery }) {
  const api = useApi();
  const cache = useQueryClient();
  const { name, contents } = topicNames[topic];
  const choose = useMutation({
    // One after the other, so that the last choice stays.
    scope: { id: `delivery of ${topic}` },
    mutationFn: (chosen: Delivery) =>
      api.call(chooseDelivery, { params: { topic }, body: { delivery: chosen } }),
    onSuccess: (_, chosen) => {
      cache.setQueryData<NotificationSettings>(
        settingsKey,
        (known) => known && { ...known, deliveries: { ...known.deliveries, [topic]: chosen } },
      );
      toast.success(`Emails about ${name.toLowerCase()}: ${deliveryNames[chosen].toLowerCase()}.`);
    },
    onError: (error) => toast.error(errorMessage(error)),
  });
  return (
    <li className="py-3">
      <Field
        label={name}
        hint={contents}
        className="sm:grid sm:grid-cols-[1fr_11rem] sm:items-center sm:[&>p]:col-start-1 sm:[&>select]:row-span-2"
      >
        <Select
          value={choose.isPending ? choose.variables : delivery}
          onChange={({ target }) => {
            if (isDelivery(target.value)) choose.mutate(target.value);
          }}
        >
          {deliveries.map((each) => (
            <option key={each} value={each}>
              {deliveryNames[each]}
            </option>
          ))}
        </Select>
      </Field>
    </li>
  );
}

/** When notifications are emailed, and whether this browser shows them. */
export function Settings() {
  const api = useApi();
  const settings = useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => api.call(readNotificationSettings, { signal }),
  });
  return (
    <QueryView
      query={settings}
      what="your settings"
      errorTitle="We could not load your settings"
      skeleton={<Skeleton className="h-72" />}
    >
      {({ deliveries: chosen, pushKey }) => (
        <div id="settings" className="flex scroll-mt-24 flex-col gap-5">
          <StaleDataNotice query={settings} />
          <Section title="Emails">
            <ul className="w-full divide-y divide-border">
              {chosenTopics.map((topic) => (
                <TopicSetting key={topic} topic={topic} delivery={chosen[topic]} />
              ))}
            </ul>
            <p className="max-w-prose text-muted">
              Emails ‘once a day’ arrive together after 08:00 UTC. What concerns your money, the safety of
              your account and your sales, or the shop itself is always emailed at once: you might have to act
              on it. Emails about saved searches are set{' '}
              <Link to={href('/dashboard/savedSearches')} className="link font-semibold">
                with each search
              </Link>
              .
            </p>
          </Section>
          <Section title="This browser">
            <PushSetting pushKey={pushKey} />
          </Section>
        </div>
      )}
    </QueryView>
  );
}
