/** Why a user of another role cannot book. */
export function notBuyerMessage({ isSeller }: { isSeller: boolean }): string {
  const role = isSeller ? 'a seller' : 'an administrator';
  return `Booking and the wishlist are for buyers. You are signed in as ${role}.`;
}
