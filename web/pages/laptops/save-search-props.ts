/** The parameter of the results page that opens the dialog, after a sign-in. */
export const SAVE_PARAMETER = 'save';

export interface SaveSearchProps {
  /** The clean parameters of the results, at least one. */
  parameters: string;
  /** The chosen filters in words. */
  words: string;
  /** The words that were searched instead of the typed ones. */
  corrected: string | undefined;
}
