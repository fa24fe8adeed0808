import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listToDo } from '#contract/operations/to-do.ts';
import { isAdmin, isBuyer, isSeller, readOwnRights } from '#contract/people/accounts.ts';
import { fakeShop, mount, signIn } from '../../../testing/component.tsx';
import { ToDoList } from './to-do-list.tsx';

test.each([
  ['not that nothing waits, while an admin’s second factor is due', true, /^What waits for you appears here/],
  ['that nothing waits', undefined, 'Nothing waits for you at the moment.'],
] as const)('it says %s', async (_, secondFactorDue, sentence) => {
  await signIn();
  const shop = fakeShop();
  shop.on(listToDo, () => []);
  shop.on(isAdmin, () => ({ isAdmin: true, ...(secondFactorDue && { secondFactorDue }) }));
  shop.on(isBuyer, () => ({ isBuyer: false }));
  shop.on(isSeller, () => ({ isSeller: false }));
  shop.on(readOwnRights, () => ({ isOwner: true, areas: [] }));
  mount(<ToDoList />, { isSignedIn: true });
  await expect.element(page.getByText(sentence)).toBeVisible();
});
