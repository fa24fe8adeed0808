import { longUtcDay } from '../../formats/utc-dates.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** That a laptop was sold. @param props.at ISO 8601 in UTC */
export default function Sold({ at }: { at: string }) {
  return (
    <Notice className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <p>
        <strong className="font-semibold">Sold</strong> on{' '}
        <time dateTime={at} className="figures">
          {longUtcDay(at)}
        </time>
      </p>
      <LinkButton variant="secondary" size="small" to="#similar">
        See similar laptops
      </LinkButton>
    </Notice>
  );
}
