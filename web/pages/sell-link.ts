import { linkTo } from '../links.ts';
import { useSession } from '../session/session.tsx';

/**
 * Where selling begins: with an account, and for who has one with the laptop. What kind of account is known in the
 * dashboard only, so `who` says to all that have one whose page it is.
 */
export function useSelling(): { to: string; who: string } {
  return useSession().status === 'signed-in'
    ? { to: linkTo('addProduct'), who: ' as a seller' }
    : { to: linkTo('register'), who: '' };
}
