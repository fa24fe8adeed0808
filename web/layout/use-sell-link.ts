import { href } from 'react-router';
import { useSession } from '../session/session.tsx';
import { sellerRegistration } from './return-page.ts';

/** The link for selling: Add Product for signed-in users, the registration of a seller for visitors. */
export function useSellLink(): string {
  return useSession().status === 'signed-in' ? href('/dashboard/addProduct') : sellerRegistration;
}
