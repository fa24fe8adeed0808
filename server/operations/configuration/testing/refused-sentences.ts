import { ConfigurationError, readConfig } from '../config.ts';

/** The sentences with which the shop refuses an environment; none when it starts. */
export function refusedSentences(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.sentences;
    throw error;
  }
}
