import * as z from 'zod/mini';
import { NewBooking } from '#contract/bookings.ts';

/** The fields of a booking that the buyer types. */
export const MeetingDetails = z.pick(NewBooking, { phone: true, location: true });
export type MeetingDetails = z.output<typeof MeetingDetails>;

/** The fields as typed, before validation. */
type MeetingInput = z.input<typeof MeetingDetails>;

const drafts = new Map<string, MeetingInput>();

/** The typed values by the buyer's email address, kept in memory so that the next booking form starts with them. */
export const meetingDraft = {
  get: (email: string): MeetingInput => drafts.get(email) ?? { phone: '', location: '' },
  set: (email: string, details: MeetingInput) => void drafts.set(email, details),
};
