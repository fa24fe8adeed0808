const list = new Intl.ListFormat('en-US');

/** Names in one line: `Processor, Memory, and Storage`. */
export const listOf = (names: readonly string[]): string => list.format(names);
