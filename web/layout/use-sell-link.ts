import { href } from 'react-router';
import { useSession } from '../session/session.tsx';

/** The link for selling: Add Product for signed-in users, Register for visitors. */
export function useSellLink(): string {
  return href(useSession().status === 'signed-in' ? '/dashboard/addProduct' : '/register');
}
