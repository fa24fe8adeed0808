import * as z from 'zod/mini';

/** What an admin decides about a measured laptop. */
export const decisions = ['approved', 'sent_back', 'refused'] as const;
export const Decision = z.enum(decisions);
export type Decision = z.infer<typeof Decision>;

/** What the admin looks at, by the words on the checklist. */
export const checklistItems = {
  photos: 'The photos show this laptop, and the slip with its code',
  marks: 'Each mark that the photos show is named in the description',
  body: 'Lid, hinges, ports and underside are whole, or their flaws are named',
  screen: 'The screen shows no dead pixels or spots, or they are named',
  keyboard: 'Keyboard and touchpad work, or their flaws are named',
  price: 'Name, prices and use time are plausible for this laptop',
} as const;
export type ChecklistItem = keyof typeof checklistItems;

/** `unchecked` is an answer of its own: it is never shown as good. */
export const CheckResult = z.enum(['met', 'not_met', 'unchecked'], { error: 'Choose one of the answers' });
export type CheckResult = z.infer<typeof CheckResult>;

export const Checklist = z.object({
  photos: CheckResult,
  marks: CheckResult,
  body: CheckResult,
  screen: CheckResult,
  keyboard: CheckResult,
  price: CheckResult,
} satisfies Record<ChecklistItem, typeof CheckResult>);
export type Checklist = z.infer<typeof Checklist>;

/** The texts of a listing by the names of its fields, as the admin has seen them. */
export const InspectedListing = z.record(z.string(), z.string());
export type InspectedListing = z.infer<typeof InspectedListing>;

/** A field of a listing that was changed; empty when it has no text. */
export const ListingChange = z.object({ field: z.string(), before: z.string(), after: z.string() });
export type ListingChange = z.infer<typeof ListingChange>;
