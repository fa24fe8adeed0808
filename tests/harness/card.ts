/** The test card that is always good. */
export const GOOD_CARD = '4242424242424242';

/**
 * Confirms an intent with a card as the browser does, at the card processor's stand-in itself.
 * @param cards.url of the stand-in; only its origin counts
 * @returns the intent's id and what the stand-in answered
 * @throws the error of fetch when nothing was answered
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
