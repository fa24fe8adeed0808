import type { StandIns } from './messages.ts';

/** Returns the lines for the terminal that list the stand-ins and their test data. */
export function describeStandIns({ cards, mail, google }: StandIns): string[] {
  return [
    ...(cards === undefined
      ? []
      : [
          `Payments  ${cards.dashboardUrl}  (a stand-in: no real card is ever charged)`,
          'Test cards, any later date, any code:',
          '  4242 4242 4242 4242  succeeds          4000 0027 6000 3184  asks for authentication',
          '  4000 0000 0000 0002  declined          4000 0000 0000 9995  insufficient funds',
          '  4000 0000 0000 0069  expired           4000 0000 0000 0127  wrong code',
          '  4000 0000 0000 0119  processing error  4000 0000 0000 5126  a refund to it fails later',
          '  4000 0000 0000 0259  disputed later    4000 0000 0000 7726  a refund to it takes a while',
        ]),
    ...(mail === undefined ? [] : [`Mail      ${mail.inboxUrl}  (receives every e-mail of the shop)`]),
    ...(google === undefined ? [] : [`Google    ${google.issuer}  (a stand-in with its own accounts)`]),
  ];
}
