import { ForRole } from './for-role.tsx';

export default function ForAdmins() {
  return <ForRole only="isAdmin" whose="the shop’s administrators" />;
}
