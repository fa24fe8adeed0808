import { href } from 'react-router';
import {
  type ChosenTopic,
  chooseDelivery,
  chosenTopics,
  type Delivery,
  deliveries,
  readNotificationSettings,
} from '#contract/people/notifications.ts';
import { deliveryNames, topicNames } from '../../../notifications/topic-names.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Field, Options, Select } from '../../../ui/field.tsx';
import { CardSection } from '../../../ui/section.tsx';
import { ActionLink } from '../../../ui/text-link.tsx';
import { PushSetting } from './push-setting.tsx';

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
