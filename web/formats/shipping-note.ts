/** What FREE SHIPPING means in this shop. */
export const shippingNote =
  'Nothing is added to the price: the seller pays for the parcel, or you meet and look first.';
