/** About a review that does not count in the average (decision 48). */
export const notCountedSentence =
  'These stars do not count in the average: most of the price went back, or still may.';
