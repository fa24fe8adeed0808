/** What a buyer must add to book a laptop. */
export interface MeetingDetails {
  phone: string;
  location: string;
}

const drafts = new Map<string, MeetingDetails>();

/** What a person typed when booking, as long as the page is open, so that nobody types it twice. */
export const meetingDraft = {
  of: (email: string): MeetingDetails => drafts.get(email) ?? { phone: '', location: '' },
  keep: (email: string, details: MeetingDetails) => void drafts.set(email, details),
};
