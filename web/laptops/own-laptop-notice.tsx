import { href } from 'react-router';
import { LinkButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** What the seller of a laptop sees in place of Book now. */
export function OwnLaptopNotice() {
  return (
    <Notice className="flex flex-wrap items-center justify-between gap-3">
      <p>This is your laptop.</p>
      <LinkButton variant="secondary" size="small" to={href('/dashboard/myProducts')}>
        My Products
      </LinkButton>
    </Notice>
  );
}
