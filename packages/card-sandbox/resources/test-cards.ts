import type { Decline, DelayedEffect } from '../storage/records.ts';

export type TestCard = {
  brand: string;
  funding: 'credit' | 'debit';
  asksAuthentication: boolean;
  decline: Decline | null;
  afterwards: DelayedEffect | null;
};

const declined = (declineCode: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  declineCode,
  message,
});

const insufficientFunds = declined('insufficient_funds', 'Your card has insufficient funds.');

const visa = (decline: Decline | null = null, asksAuthentication = false): TestCard => ({
  brand: 'visa',
  funding: 'credit',
  asksAuthentication,
  decline,
  afterwards: null,
});

const successfulCard = (brand: string, funding: TestCard['funding'] = 'credit'): TestCard => ({
  brand,
  funding,
  asksAuthentication: false,
  decline: null,
  afterwards: null,
});

/** The test cards that Stripe publishes. Source: https://docs.stripe.com/testing */
const testCards: ReadonlyMap<string, TestCard> = new Map([
  ['4242424242424242', visa()],
  ['4000056655665556', successfulCard('visa', 'debit')],
  ['5555555555554444', successfulCard('mastercard')],
  ['2223003122003222', successfulCard('mastercard')],
  ['5200828282828210', successfulCard('mastercard', 'debit')],
  ['378282246310005', successfulCard('amex')],
  ['371449635398431', successfulCard('amex')],
  ['6011111111111117', successfulCard('discover')],
  ['4000000000000002', visa(declined('generic_decline'))],
  ['4000000000009995', visa(insufficientFunds)],
  ['4000000000009987', visa(declined('lost_card'))],
  ['4000000000009979', visa(declined('stolen_card'))],
  [
    '4000000000000069',
    visa({ code: 'expired_card', declineCode: 'expired_card', message: 'Your card has expired.' }),
  ],
  [
    '4000000000000127',
    visa({
      code: 'incorrect_cvc',
      declineCode: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
    }),
  ],
  [
    '4000000000000119',
    visa({
      code: 'processing_error',
      declineCode: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    }),
  ],
  ['4000002760003184', visa(null, true)],
  ['4000002500003155', visa(null, true)],
  ['4000008260003178', visa(insufficientFunds, true)],
  ['4000000000005126', { ...visa(), afterwards: 'refunds fail' }],
  ['4000000000007726', { ...visa(), afterwards: 'refunds take time' }],
  ['4000000000000259', { ...visa(), afterwards: 'is disputed' }],
  ['4000000000001976', { ...visa(), afterwards: 'is asked about' }],
]);

const liveCardDecline: Decline = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test card. ' +
    'For a list of valid test cards, visit: https://stripe.com/docs/testing.',
);

/** Returns the behaviour of a card. A number that is not a test card is declined, as a real card is in test mode. */
export function testCardFor(number: string, brand: string): TestCard {
  return testCards.get(number) ?? { ...successfulCard(brand), decline: liveCardDecline };
}

/** The card numbers of Stripe's test ids for payment methods, with which a server pays without a browser. */
export const cardOfPaymentMethod: ReadonlyMap<string, string> = new Map([
  ['pm_card_visa', '4242424242424242'],
  ['pm_card_visa_debit', '4000056655665556'],
  ['pm_card_mastercard', '5555555555554444'],
  ['pm_card_amex', '378282246310005'],
  ['pm_card_discover', '6011111111111117'],
  ['pm_card_visa_chargeDeclined', '4000000000000002'],
  ['pm_card_chargeDeclined', '4000000000000002'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_chargeDeclinedInsufficientFunds', '4000000000009995'],
  ['pm_card_chargeDeclinedExpiredCard', '4000000000000069'],
  ['pm_card_chargeDeclinedIncorrectCvc', '4000000000000127'],
  ['pm_card_chargeDeclinedProcessingError', '4000000000000119'],
  ['pm_card_authenticationRequired', '4000002760003184'],
  ['pm_card_refundFail', '4000000000005126'],
  ['pm_card_pendingRefund', '4000000000007726'],
  ['pm_card_createDispute', '4000000000000259'],
  ['pm_card_createDisputeInquiry', '4000000000001976'],
]);
