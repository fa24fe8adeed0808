import { RequireRole } from './require-role.tsx';

export default function RequireSeller() {
  return <RequireRole required="isSeller" users="sellers" />;
}
