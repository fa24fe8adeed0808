import type { Client } from 'pg';
import { MESSAGES_PER_PAGE } from '#contract/sales/messages.ts';

/** The number of conversations, of different buyers about different laptops. */
const CONVERSATIONS = 1_000;

/** The messages of each: more than a page, so that a response names the next one. */
const MESSAGES = 2 * MESSAGES_PER_PAGE;

const insertConversations = `
  insert into conversations (laptop_id, buyer_id, seller_id)
  select id, ($1::uuid[])[number % cardinality($1::uuid[]) + 1], seller_id
    from laptops where state = 'available' order by number limit $2
  returning id, buyer_id`;

// Sentences of a usual length, from both people in turn. No photos: their addresses are signed with a key of the shop.
const insertMessages = `
  insert into messages (conversation_id, sequence, sender_id, text)
  select conversations.id, n, case n % 2 when 1 then buyer_id else seller_id end,
         format('%s (%s)', (array[
           'Hello! Is it still available, and does the battery last a day of writing and calls?',
           'Yes, it is. The battery has 86 % of its first capacity, so about seven hours. The charger is the original one.',
           'Good. Could we meet near the station on Thursday after six? I would like to try the keyboard first.',
           'Thursday is fine — in front of the café, at half past six.',
           'Thanks, see you there.'])[n % 5 + 1], n)
    from conversations, generate_series(1, $1::integer) n
   order by conversations.number, n`;

const countMessages = `
  update conversations set messages = $1::integer, latest_number = latest.number
    from messages as latest where latest.conversation_id = conversations.id and latest.sequence = $1::integer`;

/** A conversation of which measurements read the first page. */
export interface LoadedConversation {
  path: string;
  buyerId: string;
}

/** Inserts conversations with messages, while no shop runs. */
export async function loadConversations(
  client: Client,
  buyerIds: readonly string[],
): Promise<LoadedConversation[]> {
  const { rows } = await client.query<{ id: string; buyer_id: string }>(insertConversations, [
    buyerIds,
    CONVERSATIONS,
  ]);
  await client.query(insertMessages, [MESSAGES]);
  await client.query(countMessages, [MESSAGES]);
  await client.query('vacuum analyze conversations, messages');
  return rows.map(({ id, buyer_id }) => ({ path: `/api/conversations/${id}/messages`, buyerId: buyer_id }));
}
