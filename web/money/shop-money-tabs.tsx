import { href, NavLink } from 'react-router';
import { tabClasses } from '../lists/list-tabs.tsx';

const tabs = [
  { to: href('/dashboard/shopMoney'), label: 'Overview' },
  { to: href('/dashboard/settlements'), label: 'Settlements' },
  { to: href('/dashboard/allReceipts'), label: 'All Receipts' },
];

/** Links between the pages of the shop's money. */
export function ShopMoneyTabs() {
  return (
    <nav aria-label="Shop money" className="mb-6 flex flex-wrap gap-2">
      {tabs.map(({ to, label }) => (
        <NavLink key={to} to={to} className={({ isActive }) => tabClasses(isActive)}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
