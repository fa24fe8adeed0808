import { useEffect, useState } from 'react';
import { href, Link } from 'react-router';
import { useOwnOutbox, useUnsent } from '../messages/use-outbox.ts';
import { hasLaptopDraft } from '../session/forget-private-data.ts';
import { useSessionStore } from '../session/session.tsx';
import { AlertDialog } from '../ui/dialog.tsx';

/** The number of own messages that were refused. */
export const useRefusedMessages = (): number => useUnsent().reduce((sum, { refused }) => sum + refused, 0);

const messages = (count: number) => (count === 1 ? '1 message' : `${count} messages`);

/** Links to own messages that wait in this browser or were refused. */
export function UnsentMessages() {
  return useUnsent().map(({ conversationId, waiting, refused }) => (
    <Link
      key={conversationId}
      to={href('/dashboard/messages/:id?', { id: conversationId })}
      className="flex min-h-11 flex-col justify-center rounded-lg px-3 py-2 font-semibold -outline-offset-3 hover:bg-subtle"
    >
      {refused > 0 && <span className="text-danger">{messages(refused)} could not be sent</span>}
      {waiting > 0 && <span>{messages(waiting)} kept here until the shop can be reached</span>}
    </Link>
  ));
}

/** Sends what waits, whatever page is open, and asks before a sign-out deletes what was typed. */
export function Outbox() {
  const store = useSessionStore();
  const outbox = useOwnOutbox();
  const [isAsking, setIsAsking] = useState(false);
  useEffect(() => {
    const setGuard = (guard?: () => boolean) =>
      void store.run(async (actions) => actions.guardSignOut(guard));
    setGuard(() => {
      const isSafe = outbox.isEmpty() && !hasLaptopDraft();
      setIsAsking(!isSafe);
      return isSafe;
    });
    return () => setGuard();
  }, [store, outbox]);

  function signOut() {
    void store.run(async (actions) => {
      actions.guardSignOut(() => true);
      actions.signOut();
    });
  }

  return (
    <AlertDialog
      open={isAsking}
      onClose={() => setIsAsking(false)}
      title="Sign out and delete what was not sent?"
      message="This browser keeps messages or a laptop that you have typed and not sent. Signing out deletes them, so that nobody else reads them here."
      closeLabel="Stay signed in"
      confirm={{ label: 'Delete and sign out', onConfirm: signOut }}
    />
  );
}
