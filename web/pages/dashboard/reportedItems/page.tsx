import { linkTo } from '../../../links.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { Heading } from '../heading.tsx';
import { dashboardMeta } from '../meta.ts';

export const meta = () => dashboardMeta('Reported Items');

export default function ReportedItems() {
  return (
    <>
      <Heading title="Reported Items" />
      <EmptyState
        title="No reports yet"
        action={
          <LinkButton look="secondary" to={linkTo('allSellers')}>
            Go to All Sellers
          </LinkButton>
        }
      >
        Laptops that people report will stand here with the reason they gave, for you to dismiss the report or
        take the laptop down.
      </EmptyState>
    </>
  );
}
