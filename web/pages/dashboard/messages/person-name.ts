import type { Conversation } from '#contract/sales/messages.ts';

/** The name of the other person of a conversation. */
export const nameOf = ({ personName }: Pick<Conversation, 'personName'>): string =>
  personName ?? 'Former account';
