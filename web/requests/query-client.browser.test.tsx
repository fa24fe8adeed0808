import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { useSession, useSessionStore } from '../session/session.tsx';
import { fakeShop, mount, signIn } from '../testing/component.tsx';
import { Button } from '../ui/button.tsx';
import { useUserCache } from './query-client.ts';

let cache: QueryClient | null = null;

function Read({ onRead }: { onRead: () => void }) {
  const queries = useUserCache();
  function read() {
    queries.setQueryData(['orders'], ['hers']);
    cache = queries;
    onRead();
  }
  return <Button onClick={read}>Read</Button>;
}

/** A page for everybody, which removes what has read. */
function PublicPage() {
  const { status } = useSession();
  const { signOut } = useSessionStore();
  const [isRead, setIsRead] = useState(false);
  return (
    <>
      {status === 'signed-in' && !isRead && <Read onRead={() => setIsRead(true)} />}
      <Button onClick={signOut}>Sign out</Button>
      <p>{status}</p>
    </>
  );
}

test('a sign-out drops the cache also on a page that provides none, when what has read is gone', async () => {
  await signIn();
  fakeShop();
  mount(<PublicPage />);
  const read = page.getByRole('button', { name: 'Read' });
  await read.click();
  await expect.element(read).not.toBeInTheDocument();
  expect(cache?.getQueryData(['orders'])).toEqual(['hers']);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect.element(page.getByText('signed-out')).toBeVisible();
  expect(cache?.getQueryData(['orders'])).toBeUndefined();
});
