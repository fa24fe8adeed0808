import { href } from 'react-router';
import { readShopSettings } from '#contract/operations/settings.ts';
import { readShippingEstimates } from '#contract/sales/labels.ts';
import { listOf } from '../../../formats/list-of.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { usePrefetch, useRead } from '../../../requests/reads.ts';
import { useSettings } from '../../../session/session.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { SettingsForm } from './settings-form.tsx';

/** What the owner decides about the shop. */
export default function SettingsPage() {
  const query = useRead(readShopSettings, {});
  const [country = ''] = useSettings().shippingCountries;
  usePrefetch(readShippingEstimates, { query: { country } });
  return (
    <>
      <PageHeading title="Settings">
        How the shop presents itself and on which terms it sells. A change applies at once, and the audit
        trail records it. A new shop begins with the{' '}
        <TextLink to={href('/dashboard/firstSteps')}>first steps</TextLink>.
      </PageHeading>
      <QueryView query={query} what="the settings">
        {(present) => (
          <>
            {present.missing.length > 0 && (
              <Notice tone="problem" className="mb-6">
                The shop takes no new bookings and payments, because it does not state{' '}
                {listOf(present.missing)}. Enter it below, or declare the shop private.
              </Notice>
            )}
            <SettingsForm present={present} />
          </>
        )}
      </QueryView>
    </>
  );
}
