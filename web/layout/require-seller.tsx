import { RequireRole } from './require-role.tsx';

export default function RequireSeller() {
  return (
    <RequireRole
      required="isSeller"
      users="sellers"
      hint="An account buys or sells. To sell, sign out and register as a seller with another email address."
    />
  );
}
