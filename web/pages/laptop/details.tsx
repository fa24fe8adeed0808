import { href, Link } from 'react-router';
import { SellerBadge } from '../../formats/seller-badge.tsx';
import { useSession } from '../../session/session.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { loadSignedIn } from './load-signed-in.tsx';
import type { ShownLaptop } from './shown-laptop.ts';

const SellerPhone = lazyPart(
  async () => (await loadSignedIn()).SellerPhone,
  () => <span className="text-muted">Loading the phone number</span>,
);

/** The seller's telephone number for signed-in people; a link that leads over the login page to it for others. */
function Phone({ laptop }: { laptop: ShownLaptop }) {
  if (useSession().status === 'signed-in') return <SellerPhone laptop={laptop} />;
  return (
    <Link
      to="?phone=yes"
      rel="nofollow"
      preventScrollReset
      className="link inline-block py-0.5 font-semibold"
    >
      Log in to see the phone number
    </Link>
  );
}

/** Everything about a laptop below its photos: the seller's words, its configuration, measurement and seller. */
export function Details({ laptop }: { laptop: ShownLaptop }) {
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server, which escapes all values */}
      <div dangerouslySetInnerHTML={{ __html: laptop.details }} />
      <section className="mt-8 sm:mt-10">
        <h2 className="mb-3 text-xl sm:text-2xl">The seller</h2>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {laptop.sellerHasEnded ? (
            <span className="min-w-0 font-semibold text-lg wrap-anywhere">{laptop.sellerRated}</span>
          ) : (
            <>
              <Link
                to={href('/seller/:id', { id: laptop.seller_id })}
                className="min-w-0 font-semibold text-lg wrap-anywhere underline underline-offset-4"
              >
                {laptop.sellerRated}
              </Link>
              <SellerBadge verified={laptop.sellerVerified} />
            </>
          )}
        </div>
        <p className="mt-1 text-muted">
          {laptop.location} · {laptop.sellerNote}
        </p>
        {!laptop.paid && (
          <p className="mt-2">
            <Phone laptop={laptop} />
          </p>
        )}
      </section>
    </>
  );
}
