/** What FREE SHIPPING means in this shop. */
export const shippingNote =
  'Nothing is added to the price: the parcel costs you nothing, or you meet and look first.';
