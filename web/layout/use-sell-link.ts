import { linkTo } from '../links.ts';
import { useSession } from '../session/session.tsx';

/** Where selling begins: with an account, and for who has one with the laptop. */
export function useSellLink(): string {
  return linkTo(useSession().status === 'signed-in' ? 'addProduct' : 'register');
}
