/** About a review that does not count in the average (decision 48). */
export const notCountedSentence =
  'These stars do not count in the average: the sale was undone, or is not decided yet.';
