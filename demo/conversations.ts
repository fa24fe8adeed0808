import type { Client } from '#contract/platform/client.ts';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import {
  listMessages,
  markRead,
  openConversation,
  readConversation,
  sendMessage,
} from '#contract/sales/messages.ts';
import type { demoBuyers } from './accounts.ts';
import { bookLaptop } from './sell.ts';

/** A conversation of the demo shop with the seller of a laptop for sale. */
interface DemoConversation {
  readonly laptop: string;
  readonly buyer: (typeof demoBuyers)[number]['email'];
  /** Where the two meet, in how many days and at which hour, in the local time; the laptop is booked for it. */
  readonly meeting?: { readonly place: string; readonly inDays: number; readonly hour: number };
  /** Oldest first. */
  readonly messages: readonly (readonly [by: 'buyer' | 'seller', text: string])[];
}

/** The conversations. The last one of the demo buyer marks the demo data as complete. */
export const demoConversations: readonly DemoConversation[] = [
  {
    laptop: 'Acer Predator Helios 300 PH315-54',
    buyer: 'amara.diallo@coomercio.example',
    messages: [['buyer', 'Hello! How loud are its fans when it only plays a film?']],
  },
  {
    laptop: 'Dell XPS 13 9310',
    buyer: 'buyer@coomercio.example',
    messages: [
      ['buyer', 'Hi Marta, does it charge on both sides? And is the charger the one from Dell?'],
      ['seller', 'Hi! Yes, both USB-C ports charge it, left and right, and it is the original 45 W charger.'],
    ],
  },
  {
    laptop: 'HP EliteBook x360 1030 G7',
    buyer: 'buyer@coomercio.example',
    meeting: { place: 'Central Library, main entrance', inDays: 3, hour: 11 },
    messages: [
      ['buyer', 'Hello, I have booked it. Would the library suit you? I am there on most mornings.'],
      [
        'seller',
        'The library is perfect. I bring the pen and the charger, and you can try it as long as you like.',
      ],
      ['buyer', 'Great, I have proposed a time. I pay today, and you get the code when I have seen it.'],
      ['seller', 'Agreed. See you there!'],
    ],
  },
];

type Sides = Record<'buyer' | 'seller', Client>;

/** Proposes a meeting as the buyer and agrees to it as the seller, unless there is one. */
async function agreeOnMeeting(
  { buyer, seller }: Sides,
  _id: string,
  { place, inDays, hour }: NonNullable<DemoConversation['meeting']>,
): Promise<void> {
  const params = { _id };
  const startsAt = new Date();
  startsAt.setDate(startsAt.getDate() + inDays);
  startsAt.setHours(hour, 0, 0, 0);
  const { meeting } = await seller.call(readConversation, { params });
  if (meeting?.state === 'agreed') return;
  const proposed =
    meeting?._id ??
    (await buyer.call(proposeMeeting, { params, body: { place, startsAt: startsAt.toISOString() } }))
      .insertedId;
  await seller.call(answerMeeting, { params, body: { meeting: proposed, answer: 'agree' } });
}

/** Has a demo conversation about a listed laptop, or continues it after an aborted run. */
export async function createConversation(
  sides: Sides,
  { laptopId, price }: { laptopId: string; price: number },
  { meeting, messages }: DemoConversation,
): Promise<void> {
  const location = meeting?.place;
  const about =
    location === undefined
      ? { productCode: laptopId }
      : { bookingId: await bookLaptop(sides.buyer, { laptopId, price, way: location }) };
  const { insertedId } = await sides.buyer.call(openConversation, { body: about });
  const params = { _id: insertedId };
  // Before the messages: the last of them marks the demo data as complete.
  if (meeting !== undefined) await agreeOnMeeting(sides, insertedId, meeting);
  const { length: sent } = await sides.buyer.call(listMessages, { params, query: {} });
  for (const [index, [by, text]] of messages.entries()) {
    if (index < sent) continue;
    // The author of an answer has read what was written before.
    if (index > 0) await sides[by].call(markRead, { params, body: { sequence: index } });
    await sides[by].call(sendMessage, { params, body: { text } });
  }
}
