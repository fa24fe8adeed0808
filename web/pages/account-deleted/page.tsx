import { href, useLocation } from 'react-router';
import * as z from 'zod/mini';
import { CardPage } from '../../layout/card-page.tsx';
import { privateMeta } from '../../metadata/page-meta.ts';
import { LinkButton } from '../../ui/button.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';

export const meta = privateMeta('Account deleted');

const DeletionState = z.object({ kept: z.array(z.string()) });

/** Confirms the deletion of an account. The details are in the history state, which survives a reload. */
export default function AccountDeletedPage() {
  const { state } = useLocation();
  const isHydrated = useHydrated();
  const deletion = DeletionState.safeParse(isHydrated ? state : null).data;
  if (deletion === undefined) {
    return (
      <CardPage title="No account was deleted">
        <p>This page confirms the deletion of an account. None was deleted in this window.</p>
        <LinkButton to={href('/')}>Go to Homepage</LinkButton>
      </CardPage>
    );
  }
  return (
    <CardPage title="Your account is deleted">
      <p role="status">
        You are signed out everywhere. Your name, addresses, telephone numbers, wishlist and sign-in are
        deleted, and your unsold laptops have left the shop.
      </p>
      {deletion.kept.length === 0 ? (
        <p>No personal data is kept.</p>
      ) : (
        <div>
          <h2 className="text-xl">Kept data</h2>
          <ul className="mt-2 list-disc space-y-2 pl-5 text-muted">
            {deletion.kept.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
      <p className="text-muted">With the same email address you can register again.</p>
      <LinkButton to={href('/')}>Go to Homepage</LinkButton>
    </CardPage>
  );
}
