/** A text message to one telephone. */
export interface SmsMessage {
  /** Identifies the message when it is sent again: letters, digits, hyphens. */
  id: string;
  /** In E.164, such as +351912345678. */
  to: string;
  text: string;
}

/** What is known after an attempt to send a message. */
export type SmsOutcome =
  | { kind: 'sent' }
  /** It was not sent. `reason` is a sentence for the operator, without the number and the text. */
  | { kind: 'not_sent'; reason: string }
  /** The hook may have sent it before the connection ended or the time was over. */
  | { kind: 'uncertain'; reason: string };

export interface SmsSender {
  /** Makes one attempt to send a message. Never throws. */
  send(message: SmsMessage): Promise<SmsOutcome>;
}
