/** In days. */
export type Deadlines = Record<keyof typeof defaultDeadlines, number>;

/** The deadlines of a fresh shop. */
export const defaultDeadlines = { hold: 7, sending: 5, looking: 14, answering: 5, returning: 14 };

const current = { ...defaultDeadlines };

/** The deadlines of this shop, of which a process serves one. An order keeps the dates that it has. */
export const deadlines: Readonly<Deadlines> = current;

/** Sets the deadlines of this process: on the server when the settings are read, in a page before it is rendered or hydrated. */
export const setDeadlines = (next: Deadlines): void => void Object.assign(current, next);
