import type { ComponentType } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { fakeShop, mount, signIn } from '../../testing/component.tsx';
import Buy from './buy/page.tsx';
import Inspection from './inspection/page.tsx';
import Measure from './measure/page.tsx';
import Receipt from './money/receipt/page.tsx';
import Statement from './money/statement/page.tsx';
import Order from './order/page.tsx';
import { ContentEditor } from './pages/editor.tsx';
import Payment from './payment/page.tsx';

const Content = () => <ContentEditor id="xyz" />;

test.each<[string, ComponentType, string]>([
  ['order', Order, 'My Orders'],
  ['payment', Payment, 'My Orders'],
  ['buy', Buy, 'My Wishlist'],
  ['receipt', Receipt, 'Receipts'],
  ['statement', Statement, 'Money'],
  ['measure', Measure, 'My Products'],
  ['inspections', Inspection, 'Inspections'],
  ['pages', Content, 'Pages'],
])(
  '/dashboard/%s/xyz says that there is none, and links to the list, without a retry',
  async (_, Page, list) => {
    await signIn();
    fakeShop();
    mount(<Page />, { isSignedIn: true });
    await expect.element(page.getByRole('heading', { name: /^We cannot find this / })).toBeVisible();
    await expect.element(page.getByRole('link', { name: `Go to ${list}` })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  },
);
