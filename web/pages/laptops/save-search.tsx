import { href } from 'react-router';
import { RequireSignInForParameters } from '../../layout/require-sign-in-for-parameters.tsx';
import { useSession } from '../../session/session.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { useLazyComponent } from '../../ui/use-lazy-component.ts';
import { SAVE_PARAMETER, type SaveSearchProps } from './save-search-props.ts';

/** Saves the search. A visitor follows a link to the dialog, and is led to the login page and back to it. */
export function SaveSearch(props: SaveSearchProps) {
  const isSignedIn = useSession().status === 'signed-in';
  const OfUser = useLazyComponent(isSignedIn, async () => {
    const { SaveSearchOfUser } = await import('./save-search-dialog.tsx');
    return SaveSearchOfUser;
  });
  if (isSignedIn && OfUser !== null) return <OfUser {...props} />;
  return (
    <>
      <RequireSignInForParameters parameters={[SAVE_PARAMETER]} />
      <LinkButton
        to={`${href('/laptops')}?${props.parameters}&${SAVE_PARAMETER}=yes`}
        rel="nofollow"
        preventScrollReset
        variant="secondary"
        size="small"
      >
        Save this search
      </LinkButton>
    </>
  );
}
