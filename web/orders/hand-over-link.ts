import { href } from 'react-router';

/**
 * The address that the buyer's QR code contains: the seller's page of the order, with the code in the fragment, which no
 * server's log records.
 */
export const handOverLink = (origin: string, { orderId, code }: { orderId: string; code: string }): string =>
  `${origin}${href('/dashboard/order/:id', { id: orderId })}#code=${code}`;

/** The code in an address's fragment; empty without one. @param hash begins with # */
export const scannedCode = (hash: string): string => /^#code=([0-9]{6})$/.exec(hash)?.[1] ?? '';
