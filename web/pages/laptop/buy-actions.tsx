import { wishIntent } from '../../laptops/wish-intent.ts';
import { useSession, useSessionStore } from '../../session/session.tsx';
import { LinkButton, SmallButton } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { BuyBar, buyButton } from './buy-bar.tsx';
import { loadSignedIn } from './load-signed-in.tsx';
import type { ShownLaptop } from './shown-laptop.ts';

function SessionFailure({ message }: { message: string }) {
  const { retry } = useSessionStore();
  return (
    <p role="alert" className="text-danger flex basis-full flex-wrap items-center gap-3">
      {message}
      <SmallButton onClick={retry}>Try again</SmallButton>
    </p>
  );
}

/** What visitors see, and everybody until the sign-in is known. Links, so that they work before hydration. */
function VisitorActions({ laptop }: { laptop: ShownLaptop }) {
  const session = useSession();
  const [seller = ''] = laptop.sellers_name.split(' ', 1);
  return (
    <div className="flex flex-wrap gap-3">
      <BuyBar price={laptop.resale_price}>
        <LinkButton to="?book=yes" rel="nofollow" preventScrollReset className={buyButton}>
          Book now
        </LinkButton>
      </BuyBar>
      <LinkButton
        to="?wish=yes"
        rel="nofollow"
        preventScrollReset
        variant="secondary"
        className="flex-1 whitespace-nowrap"
        onClick={() => wishIntent.set(laptop._id)}
      >
        Add to Wishlist
      </LinkButton>
      <LinkButton
        to={`/dashboard/messages/new?${new URLSearchParams({ laptop: laptop._id, ask: seller })}`}
        rel="nofollow"
        variant="quiet"
        className="basis-full wrap-anywhere"
      >
        Ask {seller}
      </LinkButton>
      <noscript>
        <p className="basis-full text-muted">
          Booking, the wishlist and messages need JavaScript, which is off in this browser.
        </p>
      </noscript>
      {session.status === 'failed' && <SessionFailure message={session.message} />}
    </div>
  );
}

const SignedInActions = lazyPart(async () => (await loadSignedIn()).BuyActions, VisitorActions);

/** Book now and Add to Wishlist, or why the person cannot buy this laptop. */
export function BuyActions({ laptop }: { laptop: ShownLaptop }) {
  const isSignedIn = useSession().status === 'signed-in';
  const visitor = <VisitorActions laptop={laptop} />;
  return isSignedIn ? <SignedInActions laptop={laptop} visitor={visitor} /> : visitor;
}
