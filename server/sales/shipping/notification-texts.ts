/** The parties of an order that are told of its parcels. */
export const people = ['buyer', 'seller', 'admin'] as const;
type Person = (typeof people)[number];

/** The reminders about parcels that are late. */
export const shippingReminders: Record<'to_ship' | 'shipped', Partial<Record<'buyer' | 'seller', string>>> = {
  to_ship: {
    seller:
      'Please hand the laptop to a carrier, and enter the tracking number on the order if the label is your own, or if the carrier has not scanned the parcel. If it is not sent by then, the sale ends, and the buyer gets the whole price back.',
  },
  shipped: {
    buyer:
      'Has your parcel arrived? Then please say so on the order, and look at the laptop. If it has not arrived by then, you get the whole price back.',
    seller:
      'The buyer has not said that the parcel arrived. If the carrier reports it as delivered, please say so on the order, with the proof. Otherwise it counts as lost, and the buyer gets the whole price back.',
  },
};

/** What people should know of parcels, mostly by reports of carriers, and what each of them does. */
export const parcelTroubles = [
  'return_to_sender',
  'failure',
  'available_for_pickup',
  'return_turned_back',
  'return_failure',
  'arrived_late',
  'returned_late',
  'turned_back_late',
  'return_address',
  'former_address',
] as const;
export type ParcelTrouble = (typeof parcelTroubles)[number];

/** The notification about each trouble, by the people who are told. */
export const parcelTroubleTexts: Record<ParcelTrouble, { title: string } & Partial<Record<Person, string>>> =
  {
    return_to_sender: {
      title: 'The carrier returns the parcel',
      buyer:
        'The carrier could not deliver your parcel and returns it to the seller, who sends it again or gives you the whole price back. Please look at the address on the order.',
      seller:
        'The carrier could not deliver the parcel and returns it to you. When you have it, say on the order whether you send it again or give the price back.',
    },
    failure: {
      title: 'The carrier cannot deliver the parcel',
      buyer:
        'The carrier cannot deliver your parcel, or has lost it. If it does not arrive by the day on the order, you get the whole price back.',
      seller:
        'The carrier cannot deliver the parcel, or has lost it. If it does not arrive by the day on the order, the buyer gets the whole price back. The shop then claims the insurance of its label; what that pays is yours.',
    },
    available_for_pickup: {
      title: 'Your parcel waits at a pickup point',
      buyer:
        'Please fetch it: the carrier’s page, which is on the order, says where it is and how long it waits. Otherwise it goes back to the seller. The shop holds your money until you have it.',
    },
    // Buyer and seller have the notification about the move.
    return_turned_back: {
      title: 'A return goes back to its buyer',
      admin:
        'The carrier could not deliver a laptop that returns, and brings it back to the buyer. Please ask the seller for the right address in the complaint, and decide there, after a bank that decides now: for another return, or where the money goes. Without a decision the buyer has to return it again.',
    },
    return_failure: {
      title: 'The carrier cannot deliver the return',
      buyer:
        'The carrier cannot deliver the laptop that you returned, or has lost it. You need not do anything: if the seller neither confirms nor denies the return by the day on the order, you get the whole price back. If the parcel comes back to you, please write to the shop on the order.',
      seller:
        'The carrier cannot deliver the laptop that returns to you, or has lost it. If you have it, confirm that on the order; otherwise deny it there, and the shop decides. Without an answer the buyer gets the whole price back. The shop claims the insurance of its label; what that pays is yours.',
    },
    arrived_late: {
      title: 'A parcel arrived after its price went back',
      buyer:
        'The carrier reports that your parcel was delivered. You have its price back, so the laptop belongs to the seller. Please agree with the seller in Messages: send it back at the seller’s cost, or ask the seller to offer it to you again.',
      seller:
        'The carrier reports that the parcel was delivered to the buyer, who has the price back. The laptop is yours: please agree with the buyer in Messages that it comes back, or offer it to the buyer again. The shop knows it, too. If an insurance paid for the parcel, it can ask for its money.',
      admin:
        'A parcel was delivered after its price went back to the buyer, so the seller has neither the laptop nor the money. Please see in their messages on the order that the laptop comes back or is paid for. It is among the late parcels until its seller offers it again.',
    },
    returned_late: {
      title: 'A return arrived after its deadline',
      buyer:
        'The carrier reports that the laptop is back with the seller. The deadline for the return was over, so the seller has the money. The shop knows it and looks at it; please answer its questions.',
      seller:
        'The carrier reports that the laptop is back with you, and you have the money of its sale, too. Please do not sell it: the shop looks at it, and can give the price back to the buyer.',
      admin:
        'A laptop that returns was delivered after its deadline, so the seller has the laptop and the money. Please ask the seller whether it is there, and give the price back on the order. It is among the late parcels until then.',
    },
    turned_back_late: {
      title: 'A return goes back to its buyer, who has the price',
      buyer:
        'The carrier could not deliver the laptop that you returned, and brings it back to you. You have its price back, so the laptop belongs to the seller. Please agree with the seller in Messages: send it again at the seller’s cost, or ask the seller to offer it to you again.',
      seller:
        'The carrier could not deliver the laptop that returned to you, and brings it back to the buyer, who has the price back. The laptop is yours: please agree with the buyer in Messages that it comes back, or offer it to the buyer again. The shop knows it, too. If an insurance paid for the parcel, it can ask for its money.',
      admin:
        'A laptop that returned goes back to its buyer, who has the price, so the seller has neither the laptop nor the money. Please see in their messages on the order that the laptop comes back or is paid for. It is among the late parcels until its seller offers it again.',
    },
    return_address: {
      title: 'The address for your return',
      buyer:
        'The seller has entered the address to which the laptop returns; it is in the email. If the shop buys labels, you can get one for it on the order, which costs you nothing. The order says until when the laptop must be on its way.',
    },
    former_address: {
      title: 'A parcel goes to a former address',
      buyer:
        'The carrier has your parcel, with a label to the address before your correction. A delivery there does not count as yours, and the shop holds your money until you or an admin says who has the laptop. If you get the laptop nevertheless, please say so on the order; otherwise agree with the seller in Messages, or complain that it has not arrived.',
      seller:
        'The carrier has your parcel, with a label to the address that the buyer has corrected. A delivery there does not count, and pays nobody before the buyer or an admin says who has the laptop. Please ask the carrier to redirect the parcel, and agree with the buyer in Messages.',
      admin:
        'A seller sent a parcel with a label to an address that the buyer had corrected before the carrier scanned it. Its delivery does not count, and moves no money by itself. Please see in their messages who has the laptop, and decide on the order.',
    },
  };
