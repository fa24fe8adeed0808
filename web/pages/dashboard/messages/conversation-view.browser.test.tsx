import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Problem } from '#contract/platform/client.ts';
import {
  type Conversation,
  listMessages,
  type Message,
  markRead,
  readConversation,
  sendMessage,
} from '#contract/sales/messages.ts';
import { Bell } from '../../../notifications/bell.tsx';
import { UnsentMessages } from '../../../notifications/unsent-messages.tsx';
import { useSessionStore } from '../../../session/session.tsx';
import { fakeShop, mount, setOnline, signIn } from '../../../testing/component.tsx';
import { ConversationView } from './conversation-view.tsx';

const id = '00000000-0000-4000-8000-000000000001';
const conversation: Conversation = {
  _id: id,
  productCode: '00000000-0000-4000-8000-000000000002',
  productName: 'OptiBook',
  image: '',
  role: 'buyer',
  personName: 'Marta Seller',
  latest: 0,
  read: 0,
  readByOther: 0,
  unread: 0,
  preview: null,
  meeting: null,
  canMeet: false,
  blocked: false,
  closed: null,
};

const log = page.getByRole('log');
const field = page.getByRole('textbox', { name: 'Message to Marta Seller' });
const sendButton = page.getByRole('button', { name: 'Send', exact: true });
const kept = log.getByText('Kept here, and sent when you are back online');

/** A conversation whose shop stores each message once per key, as the shop does. */
async function openConversation() {
  await signIn();
  onTestFinished(() => setOnline(true));
  const shop = fakeShop();
  const stored = new Map<string, Message>();
  /** What happens to the next requests, before the shop stores the message or after it. */
  const faults: { before?: () => void; after?: () => void }[] = [];
  shop.on(readConversation, () => ({ ...conversation, latest: stored.size }));
  shop.on(listMessages, () => [...stored.values()].reverse());
  shop.on(markRead, () => ({ acknowledged: true, modifiedCount: 1 }));
  shop.on(sendMessage, ({ body, idempotencyKey }) => {
    const fault = faults.shift();
    fault?.before?.();
    const { text } = Object(body);
    const at = new Date().toISOString();
    // Without a key, each request is a message.
    const key = idempotencyKey ?? crypto.randomUUID();
    const message = stored.get(key) ?? {
      ...{ sequence: stored.size + 1, mine: true, text: String(text), at, photos: [], warnings: [] },
    };
    stored.set(key, message);
    fault?.after?.();
    return { acknowledged: true, sequence: message.sequence, at };
  });
  const open = () =>
    mount(
      <>
        <SignOut />
        <UnsentMessages />
        <ConversationView id={id} />
      </>,
      { isSignedIn: true },
    );
  let { unmount } = open();
  await expect.element(field).toBeVisible();
  const reload = async () => {
    unmount();
    ({ unmount } = open());
    await expect.element(log).toBeVisible();
  };
  /** Opens a page without the conversation. */
  const leave = () => {
    unmount();
    mount(<Bell />, { isSignedIn: true });
  };
  return { shop, faults, reload, leave, texts: () => [...stored.values()].map(({ text }) => text) };
}

/** The button of the navbar. */
function SignOut() {
  const store = useSessionStore();
  return (
    <button type="button" onClick={store.signOut}>
      Sign Out
    </button>
  );
}

async function send(text: string): Promise<void> {
  await field.fill(text);
  await sendButton.click();
}

/** Another tab of this browser: its changes of storage are events here. */
function openTab(): Storage {
  const frame = document.body.appendChild(document.createElement('iframe'));
  onTestFinished(() => frame.remove());
  const { contentWindow } = frame;
  if (contentWindow === null) throw new Error('The frame has no window.');
  return contentWindow.localStorage;
}

test('Enter sends, Shift+Enter begins a line, and an empty or too long text is not sent', async () => {
  const { texts } = await openConversation();
  await expect.element(sendButton).toBeDisabled();
  await page.getByRole('button', { name: 'Is the charger included?' }).click();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue('Is the charger included?');
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}Thanks.{Enter}');
  await expect.element(log.getByText('Sent', { exact: true })).toBeVisible();
  await expect.element(field).toHaveValue('');
  expect(texts()).toEqual(['Is the charger included?\nThanks.']);
  await field.fill('x'.repeat(2_003));
  await expect.element(sendButton).toBeDisabled();
  await expect.element(field).toHaveAccessibleDescription('A message has up to 2000 characters. 3 too many');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveValue('x'.repeat(2_003));
});

test('a draft outlives a reload, and so does a message that was written offline: it is sent once when the connection returns', async () => {
  const { reload, shop, texts } = await openConversation();
  await field.fill('I can come on');
  await reload();
  await expect.element(field).toHaveValue('I can come on');
  setOnline(false);
  await send('I can come on Friday.');
  await expect.element(kept).toBeVisible();
  await expect.element(page.getByText('1 message kept here until the shop can be reached')).toBeVisible();
  await expect.element(field).toHaveValue('');
  await field.fill('And at what');
  await reload();
  await expect.element(kept).toBeVisible();
  expect(shop.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  setOnline(true);
  await expect.element(log.getByText('Sent', { exact: true })).toBeVisible();
  await expect.element(log.getByText('I can come on Friday.')).toBeVisible();
  await expect.element(page.getByText('1 message kept here')).not.toBeInTheDocument();
  await expect.element(field).toHaveValue('And at what');
  expect(texts()).toEqual(['I can come on Friday.']);
});

test('a message that waits is sent once from a page without its conversation, whose bell says that it waits', async () => {
  const { leave, shop, texts } = await openConversation();
  setOnline(false);
  await send('On Friday.');
  await expect.element(kept).toBeVisible();
  leave();
  await page.getByRole('button', { name: 'Notifications' }).click();
  const waiting = page.getByRole('link', { name: '1 message kept here until the shop can be reached' });
  await expect.element(waiting).toBeVisible();
  expect(shop.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  setOnline(true);
  await expect.poll(texts).toEqual(['On Friday.']);
  await expect.element(waiting).not.toBeInTheDocument();
  expect(shop.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
});

test('a message whose response was lost is sent again after a reload, and is stored and shown once', async () => {
  const { faults, reload, shop, texts } = await openConversation();
  faults.push({
    after: () => {
      throw new TypeError('fetch failed');
    },
  });
  await send('At noon.');
  await expect.poll(texts).toEqual(['At noon.']);
  await reload();
  await expect.element(log.getByText('Sent', { exact: true })).toBeVisible();
  await expect.element(log.getByText('At noon.')).toBeVisible();
  expect(log.getByRole('listitem').elements()).toHaveLength(1);
  expect(shop.requests.filter((request) => request.startsWith('POST'))).toHaveLength(2);
  expect(texts()).toEqual(['At noon.']);
});

test('a refused message says why and stays, also over a reload; it can be sent again or removed', async () => {
  const { faults, reload, texts } = await openConversation();
  const refused = {
    before: () => {
      throw new Problem({
        status: 409,
        code: 'message_refused',
        detail: 'Marta takes no messages from you.',
      });
    },
  };
  faults.push(refused, refused);
  await send('Answer now!');
  await expect.element(log.getByText('Not sent')).toBeVisible();
  await expect.element(log.getByRole('alert')).toHaveTextContent('Marta takes no messages from you.');
  await send('Please.');
  await expect.element(log.getByText('Not sent').nth(1)).toBeVisible();
  await expect.element(page.getByText('2 messages could not be sent')).toBeVisible();
  await reload();
  await expect.element(log.getByText('Not sent').nth(1)).toBeVisible();
  expect(texts()).toEqual([]);
  await log.getByRole('button', { name: 'Remove' }).first().click();
  await expect.element(log.getByText('Answer now!')).not.toBeInTheDocument();
  await log.getByRole('button', { name: 'Try again' }).click();
  await expect.element(log.getByText('Sent', { exact: true })).toBeVisible();
  await expect.element(log.getByText('Not sent')).not.toBeInTheDocument();
  expect(texts()).toEqual(['Please.']);
});

test('what another tab writes, types and removes is the same here', async () => {
  const { texts } = await openConversation();
  const prefix = `coomercioMessages:bruno@people.example:${id}`;
  const typed = `coomercioMessages:typed:bruno@people.example:${id}`;
  const tab = openTab();
  tab.setItem(typed, JSON.stringify({ text: 'I can come' }));
  await expect.element(field).toHaveValue('I can come');
  await field.fill('I can come on Friday');
  expect(JSON.parse(tab.getItem(typed) ?? '')).toEqual({ text: 'I can come on Friday' });
  setOnline(false);
  await send('I can come on Friday.');
  await expect.element(kept).toBeVisible();
  const [own = ''] = Object.keys(tab).filter((key) => key.startsWith(`${prefix}:`));
  const written = {
    message: {
      ...{ conversationId: id, key: 'of the other tab', text: 'At noon.' },
      ...{ photos: [], at: new Date().toISOString(), after: 0 },
    },
    failure: null,
  };
  tab.setItem(`${prefix}:${written.message.key}`, JSON.stringify(written));
  await expect.element(log.getByText('At noon.')).toBeVisible();
  // The other tab has sent this one, or its writer has removed it there.
  tab.removeItem(own);
  await expect.element(log.getByText('I can come on Friday.')).not.toBeInTheDocument();
  setOnline(true);
  await expect.element(log.getByText('Sent', { exact: true })).toBeVisible();
  expect(texts()).toEqual(['At noon.']);
});

test('a sign-out asks before it deletes what was typed, and leaves nothing of it in the browser', async () => {
  await openConversation();
  await field.fill('My number is');
  const confirm = vi.spyOn(window, 'confirm').mockReturnValue(false);
  const signOut = page.getByRole('button', { name: 'Sign Out', exact: true });
  await signOut.click();
  expect(confirm).toHaveBeenCalledWith(expect.stringContaining('delete what was not sent'));
  await expect.element(field).toHaveValue('My number is');
  confirm.mockReturnValue(true);
  await signOut.click();
  await expect.element(log).not.toBeInTheDocument();
  expect(Object.keys(localStorage).filter((key) => key.startsWith('coomercioMessages'))).toEqual([]);
});
