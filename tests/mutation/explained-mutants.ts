/** A mutant that no test of the rules can kill, and why. */
export interface ExplainedMutant {
  file: string;
  /** The line of code at which the mutant starts, without its indentation. */
  line: string;
  /** What the mutant puts there, with single spaces. */
  replacement: string;
  reason: string;
}

/** `npm run mutate` fails on a surviving mutant that is not in this list, and on an entry without a surviving mutant. */
export const explainedMutants: readonly ExplainedMutant[] = [
  {
    file: 'server/money/accounting/rules.ts',
    line: 'const byMonth = [...Map.groupBy(totals, ({ month }) => month)].sort(([a], [b]) => (a < b ? -1 : 1));',
    replacement: 'a <= b',
    reason: 'The months are the keys of a map: no two are equal.',
  },
  {
    file: 'contract/money/order-states.ts',
    line: 'export const orderMoveNames: readonly OrderMove[] = Object.keys(orderMoves).filter(isMove);',
    replacement: 'Object.keys(orderMoves)',
    reason: 'The filter narrows the type; each key is a move.',
  },
  {
    file: 'server/sales/orders/rules.ts',
    line: "const creditedStates: readonly OrderState[] = ['released', 'completed', 'charged_back'];",
    replacement: '""',
    reason: 'An order is completed after its release, which has credited the seller.',
  },
  {
    file: 'server/sales/complaints/rules.ts',
    line: 'default:',
    replacement: 'default:',
    reason: 'A function without a return value returns undefined as well.',
  },
  {
    file: 'server/sales/shipping/label-rules.ts',
    line: "return fields.filter((field) => foreignLetters.test(address[field] ?? ''));",
    replacement: '"Stryker was here!"',
    reason: 'Those letters are Latin, too.',
  },
  {
    file: 'server/money/payouts/payout-processor-rules.ts',
    line: 'transfersPausedUntil: pausedUntil !== null && pausedUntil > now ? pausedUntil.toISOString() : null,',
    replacement: 'true',
    reason: 'Null is not later than any time.',
  },
];
