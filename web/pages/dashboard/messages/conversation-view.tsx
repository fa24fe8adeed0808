import { type RefObject, useLayoutEffect, useRef } from 'react';
import { href, Link } from 'react-router';
import type { Conversation } from '#contract/sales/messages.ts';
import { firstName } from '../../../formats/first-name.ts';
import { ratedName } from '../../../formats/rating.ts';
import { SellerName } from '../../../formats/seller-name.tsx';
import { useOutbox } from '../../../messages/use-outbox.ts';
import { QueryView, useStaleData } from '../../../requests/query-view.tsx';
import { readNextPage } from '../../../requests/read-next-page.ts';
import { LinkButton, SmallButton } from '../../../ui/button.tsx';
import { Composer } from './composer.tsx';
import { ConversationMenu } from './conversation-menu.tsx';
import { MeetingPanel } from './meeting-panel.tsx';
import { MessageItem, WaitingItem } from './message-list.tsx';
import { nameOf } from './person-name.ts';
import { SendPhoto } from './send-photo.tsx';
import { useMessages } from './use-messages.ts';

/** Space below the element, in pixels. */
const MARGIN = 16;

/** Makes an element end at the bottom of the window, or above an on-screen keyboard; below it if its content needs more room. */
function useFillWindow(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { visualViewport } = window;
    const resize = () => {
      if (element.current === null) return;
      const top = element.current.getBoundingClientRect().top + scrollY;
      element.current.style.minHeight = `${(visualViewport?.height ?? innerHeight) - top - MARGIN}px`;
    };
    resize();
    addEventListener('resize', resize);
    visualViewport?.addEventListener('resize', resize);
    // Something above the element appears or goes, such as the bar that says that one is offline.
    const observer = new ResizeObserver(resize);
    observer.observe(document.body);
    return () => {
      observer.disconnect();
      removeEventListener('resize', resize);
      visualViewport?.removeEventListener('resize', resize);
    };
  }, []);
  return element;
}

function Heading({ conversation }: { conversation: Conversation }) {
  const { productCode, productName, sellerId, personRating } = conversation;
  return (
    <header className="flex flex-wrap items-center gap-3 border-border border-b pb-3">
      <LinkButton
        variant="secondary"
        size="small"
        to={href('/dashboard/messages/:id?')}
        aria-label="Back to all messages"
        className="xl:hidden"
      >
        Back
      </LinkButton>
      <div className="min-w-0 flex-1 basis-[7rem]">
        <h1 className="text-xl">
          {sellerId === undefined ? (
            ratedName(nameOf(conversation), personRating)
          ) : (
            <SellerName name={nameOf(conversation)} id={sellerId} rating={personRating} />
          )}
        </h1>
        <Link
          to={href('/laptop/:id/:slug?', { id: productCode })}
          className="block truncate text-muted text-sm leading-6 underline underline-offset-4"
        >
          {productName}
        </Link>
      </div>
      <ConversationMenu conversation={conversation} />
    </header>
  );
}

/** What buyers ask most, as a start for their own words. Of a laptop that they have booked, not whether it is there. */
const firstQuestions = ({ canMeet }: Conversation) => [
  ...(canMeet ? [] : ['Is it still available?']),
  'Is the charger included?',
  'Where can we meet?',
];

interface FirstQuestionsProps {
  conversation: Conversation;
  onChoose: (question: string) => void;
}

/** Questions that fill the field of an empty conversation. */
function FirstQuestions({ conversation, onChoose }: FirstQuestionsProps) {
  return (
    <ul aria-label="First questions" className="flex flex-wrap gap-2 pb-3">
      {firstQuestions(conversation).map((question) => (
        <li key={question}>
          <SmallButton className="rounded-full!" onClick={() => onChoose(question)}>
            {question}
          </SmallButton>
        </li>
      ))}
    </ul>
  );
}

interface MessagesProps extends Pick<ReturnType<typeof useMessages>, 'pages' | 'messages'> {
  conversation: Conversation;
}

function Messages({ conversation, pages, messages }: MessagesProps) {
  const { _id: id } = conversation;
  const outbox = useOutbox(id, messages);
  const name = nameOf(conversation);
  const field = useRef<HTMLTextAreaElement>(null);
  useStaleData(pages);
  const canType = conversation.closed === null || outbox.draft !== '';
  const isFirst = messages.length === 0 && outbox.waiting.length === 0 && pages.isSuccess;
  return (
    <>
      {/* Reversed, so that the latest message stays in view when others are added. */}
      <div
        role="log"
        aria-label={`Messages with ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keyboard
        tabIndex={0}
        className="flex min-h-24 flex-1 flex-col-reverse overflow-y-auto px-1 py-3 -outline-offset-3 contain-size"
      >
        <div className="flex flex-col gap-3">
          {pages.hasNextPage && (
            <SmallButton
              className="self-center"
              onClick={() => void readNextPage(pages)}
              busy={pages.isFetchingNextPage && 'Loading older messages'}
            >
              Show older messages
            </SmallButton>
          )}
          {isFirst && (
            <p className="text-muted">
              Nothing was written yet.{' '}
              {conversation.closed === null &&
                (conversation.role === 'buyer'
                  ? 'Ask what the listing does not say.'
                  : `Write to ${firstName(name)}, or propose a meeting.`)}
            </p>
          )}
          <ol className="flex flex-col gap-3">
            {messages.map((message) => (
              <MessageItem key={message.sequence} message={message} readByOther={conversation.readByOther} />
            ))}
            {outbox.waiting.map((message) => (
              <WaitingItem
                key={message.key}
                message={message}
                onRetry={() => outbox.retry(message.key)}
                onRemove={() => outbox.remove(message.key)}
              />
            ))}
          </ol>
        </div>
      </div>
      {isFirst && conversation.closed === null && conversation.role === 'buyer' && outbox.draft === '' && (
        <FirstQuestions
          conversation={conversation}
          onChoose={(question) => {
            outbox.type(question);
            field.current?.focus();
          }}
        />
      )}
      {canType && (
        <Composer
          name={name}
          draft={outbox.draft}
          fieldRef={field}
          closed={conversation.closed}
          onType={outbox.type}
          onSend={outbox.send}
          photo={<SendPhoto conversationId={id} onUploaded={outbox.sendPhoto} />}
        />
      )}
      {/* Announced when it takes the place of the field. */}
      <p role="status" className="border-border border-t pt-3 text-muted empty:sr-only">
        {!canType && conversation.closed}
      </p>
    </>
  );
}

/** A conversation: as high as the window, with the field above the on-screen keyboard. */
export function ConversationView({ id }: { id: string }) {
  const { conversation, pages, messages } = useMessages(id);
  const section = useFillWindow();
  return (
    <section ref={section} aria-label="Conversation" className="flex flex-col">
      <QueryView query={conversation} what="this conversation" skeleton="h-96 rounded-2xl" back="messages">
        {(loaded) => (
          <>
            <Heading conversation={loaded} />
            <MeetingPanel conversation={loaded} />
            <Messages conversation={loaded} pages={pages} messages={messages} />
          </>
        )}
      </QueryView>
    </section>
  );
}
