import { beforeAll, expect, test } from 'vitest';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

/** What must not be stored, hidden in every section that is read and in one that is not. */
const personal = [
  'PF3ABCDE',
  'L1HF0AB01CD',
  'S4ENNX0N123456',
  'DESKTOP-MARTA',
  'marta.lindqvist',
  '3c:58:c2:11:22:33',
];

test('neither serial numbers nor names nor network addresses are stored', async () => {
  const laptopId = await shop.laptop(seller);
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  const sections = {
    product: '[{"Vendor":"LENOVO","Name":"20S0","IdentifyingNumber":"PF3ABCDE"}]',
    board: '[{"SerialNumber":"L1HF0AB01CD"}]',
    drives:
      '[{"DeviceId":"0","FriendlyName":"SAMSUNG","MediaType":"SSD","BusType":"NVMe","Size":512110190592,"SerialNumber":"S4ENNX0N123456"}]',
    'join-state': 'AzureAdJoined : NO\nDevice Name : DESKTOP-MARTA\nExecuting Account : marta.lindqvist',
    network: 'Physical Address 3c:58:c2:11:22:33',
  };
  const report = [
    'laptop-report 1',
    `code ${code}`,
    'system windows',
    ...Object.entries(sections).flatMap(([name, content]) => [
      `== ${name}`,
      ...content.split('\n').map((line) => `\t${line}`),
    ]),
    '== end',
  ].join('\r\n');
  const response = await fetch(`${shop.origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: report,
  });
  expect(response.status).toBe(200);

  const { rows } = await shop.connection.pool.query<{ row: string; machine_hash: string; parts: number }>(
    'select measurements::text as row, machine_hash, cardinality(part_hashes) as parts from measurements where laptop_id = $1',
    [laptopId],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ machine_hash: expect.stringMatching(/^[0-9a-f]{64}$/), parts: 2 });
  for (const word of personal) expect(rows[0]?.row).not.toContain(word);
});
