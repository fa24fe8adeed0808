/** What FREE SHIPPING means in this shop. */
export const shippingNote = 'Nothing is shipped, so nothing is charged: you meet the seller and look first.';
