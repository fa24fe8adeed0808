import { expect, test } from 'vitest';
import type { Role } from '#contract/platform/scalars.ts';
import type { StaffArea } from '#contract/platform/staff-rights.ts';
import { roleInOrder } from './actions.ts';

test('the role in an order is that of its buyer, of its seller or of an admin', () => {
  const order = { buyer_id: 'buyer', seller_id: 'seller' };
  const roleOf = (userId: string, role: Role, secondFactorDue = false, areas: StaffArea[] = ['money']) =>
    roleInOrder(order, { userId, roles: [role], secondFactorDue, isOwner: false, areas }, [
      'complaints',
      'money',
    ]);
  expect(roleOf('buyer', 'Buyer')).toBe('buyer');
  expect(roleOf('seller', 'Seller')).toBe('seller');
  expect(roleOf('other', 'Admin')).toBe('admin');
  expect(() => roleOf('other', 'Admin', true)).toThrow('second factor');
  expect(() => roleOf('other', 'Admin', false, ['people'])).toThrow('“Complaints” or “Money”');
  expect(roleOf('other', 'Seller')).toBeNull();
});
