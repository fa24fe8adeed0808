import { ForRole } from './for-role.tsx';

export default function ForSellers() {
  return <ForRole only="isSeller" whose="sellers" />;
}
