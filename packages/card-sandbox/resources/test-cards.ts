import type { Decline, DelayedEffect } from '../storage/records.ts';

export type TestCard = {
  brand: string;
  funding: 'credit' | 'debit';
  asksAuthentication: boolean;
  decline: Decline | null;
  afterwards: DelayedEffect | null;
  settlesAtOnce: boolean;
};

const declined = (
  declineCode: string,
  message = 'Your card was declined.',
  code = 'card_declined',
): Decline => ({ code, declineCode, message });

const insufficientFunds = declined('insufficient_funds', 'Your card has insufficient funds.');
const expired = declined('expired_card', 'Your card has expired.', 'expired_card');
const wrongCode = declined('incorrect_cvc', "Your card's security code is incorrect.", 'incorrect_cvc');
const processingError = declined(
  'processing_error',
  'An error occurred while processing your card. Try again in a little bit.',
  'processing_error',
);

const card = (changes: Partial<TestCard> = {}): TestCard => ({
  brand: 'visa',
  funding: 'credit',
  asksAuthentication: false,
  decline: null,
  afterwards: null,
  settlesAtOnce: false,
  ...changes,
});

/** The test cards that Stripe publishes. Source: https://docs.stripe.com/testing */
const testCards: ReadonlyMap<string, TestCard> = new Map([
  ['4242424242424242', card()],
  ['4000056655665556', card({ funding: 'debit' })],
  ['5555555555554444', card({ brand: 'mastercard' })],
  ['2223003122003222', card({ brand: 'mastercard' })],
  ['5200828282828210', card({ brand: 'mastercard', funding: 'debit' })],
  ['378282246310005', card({ brand: 'amex' })],
  ['371449635398431', card({ brand: 'amex' })],
  ['6011111111111117', card({ brand: 'discover' })],
  ['4000000000000002', card({ decline: declined('generic_decline') })],
  ['4000000000009995', card({ decline: insufficientFunds })],
  ['4000000000009987', card({ decline: declined('lost_card') })],
  ['4000000000009979', card({ decline: declined('stolen_card') })],
  ['4000000000000069', card({ decline: expired })],
  ['4000000000000127', card({ decline: wrongCode })],
  ['4000000000000119', card({ decline: processingError })],
  ['4000002760003184', card({ asksAuthentication: true })],
  ['4000002500003155', card({ asksAuthentication: true })],
  ['4000008260003178', card({ asksAuthentication: true, decline: insufficientFunds })],
  ['4000000000005126', card({ afterwards: 'refunds fail' })],
  ['4000000000007726', card({ afterwards: 'refunds take time' })],
  ['4000000000000259', card({ afterwards: 'is disputed' })],
  ['4000000000001976', card({ afterwards: 'is asked about' })],
  ['4000000000005423', card({ afterwards: 'is warned about' })],
  ['4000000000000077', card({ settlesAtOnce: true })],
]);

const liveCardDecline = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test card. ' +
    'For a list of valid test cards, visit: https://stripe.com/docs/testing.',
);

/** Returns the behaviour of a card. A number that is not a test card is declined, as a real card is in test mode. */
export function testCardFor(number: string, brand: string): TestCard {
  return testCards.get(number) ?? card({ brand, decline: liveCardDecline });
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
  ['pm_card_createIssuerFraudRecord', '4000000000005423'],
  ['pm_card_bypassPending', '4000000000000077'],
]);
