import { RequireRole } from './require-role.tsx';

export default function RequireSeller() {
  return <RequireRole only="isSeller" whose="sellers" />;
}
