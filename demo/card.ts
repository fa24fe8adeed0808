/** Stripe's test card number that always succeeds. */
export const GOOD_CARD = '4242424242424242';

/**
 * Confirms a payment intent with a card at the card processor stand-in, as the browser does.
 * @param cards.url any URL of the stand-in; only its origin is used
 * @returns the intent's id and the stand-in's response
 * @throws the error of `fetch` when there is no response
 */
export async function confirmWithCard(
  cards: { url: string; publishableKey: string },
  clientSecret: string,
  { card = GOOD_CARD, signal }: { card?: string; signal?: AbortSignal } = {},
): Promise<{ transactionId: string; response: Response }> {
  const [transactionId = ''] = clientSecret.split('_secret_');
  const response = await fetch(new URL(`/v1/payment_intents/${transactionId}/confirm`, cards.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${cards.publishableKey}` },
    body: new URLSearchParams({
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': card,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '34',
      'payment_method_data[card][cvc]': '123',
    }),
    ...(signal && { signal }),
  });
  return { transactionId, response };
}
