/** A browser's push subscription: an address of its push service, and its keys in base64url. */
export interface PushAddress {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushSender {
  /** The application server key of RFC 8292, base64url. */
  readonly publicKey: string;
  /** Whether an address belongs to a push service to which the shop sends. Anybody can send the shop any address. */
  isKnownService(endpoint: string): boolean;
  /**
   * Encrypts a text for a browser and gives it to its push service.
   * @param text at most 3,900 bytes in UTF-8
   * @param ttlMs how long the push service keeps it for a browser that is offline, in milliseconds
   * @returns `ended` when nothing can be sent to this subscription any more
   * @throws Error when the push service cannot be reached or refuses for now
   */
  send(subscription: PushAddress, text: string, ttlMs: number): Promise<'sent' | 'ended'>;
}
