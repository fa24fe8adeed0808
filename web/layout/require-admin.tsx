import { RequireRole } from './require-role.tsx';

export default function RequireAdmin() {
  return <RequireRole required="isAdmin" users="the shop’s administrators" />;
}
