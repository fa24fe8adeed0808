import { firstName } from '../../formats/first-name.ts';
import { LinkButton } from '../../ui/button.tsx';
import type { ShownLaptop } from './shown-laptop.ts';

/** The link to a question to the seller. The page behind it requires a sign-in and leads back to it. */
export function AskLink({ laptop }: { laptop: ShownLaptop }) {
  return (
    <LinkButton
      to={`/dashboard/messages/new?laptop=${laptop._id}`}
      rel="nofollow"
      variant="quiet"
      className="basis-full"
    >
      Ask {firstName(laptop.sellers_name)}
    </LinkButton>
  );
}
