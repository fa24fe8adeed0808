import { href } from 'react-router';
import { useSession } from '../../session/session.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { useLazyComponent } from '../../ui/use-lazy-component.ts';
import { SAVE_PARAMETER, type SaveSearchProps } from './save-search-props.ts';

/**
 * Saves the search. A visitor is led to the login page and back to the dialog; so is everybody until the sign-in is known,
 * and the login page leads a signed-in user back at once.
 */
export function SaveSearch(props: SaveSearchProps) {
  const isSignedIn = useSession().status === 'signed-in';
  const OfUser = useLazyComponent(isSignedIn, async () => {
    const { SaveSearchOfUser } = await import('./save-search-dialog.tsx');
    return SaveSearchOfUser;
  });
  if (isSignedIn && OfUser !== null) return <OfUser {...props} />;
  return (
    <LinkButton
      to={href('/login')}
      state={{
        from: `${href('/laptops')}?${props.parameters}&${SAVE_PARAMETER}=yes`,
      }}
      rel="nofollow"
      variant="secondary"
      size="small"
    >
      Save this search
    </LinkButton>
  );
}
