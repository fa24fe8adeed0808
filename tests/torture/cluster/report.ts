/** A claim about the shop on several machines, and what was seen. */
export interface Finding {
  claim: string;
  seen: string;
  holds: boolean;
}

/** Formats findings as a Markdown table. */
export function formatFindings(findings: readonly Finding[]): string {
  return [
    '| Claim | Seen | Holds |',
    '| --- | --- | --- |',
    ...findings.map(({ claim, seen, holds }) => `| ${claim} | ${seen} | ${holds ? 'yes' : '**no**'} |`),
  ].join('\n');
}
