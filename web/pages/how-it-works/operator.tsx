import type { PublicShop } from '#contract/platform/shop-settings.ts';

/** Who runs the shop, as far as the settings say it. */
export function Operator({ shop: { legal, contact } }: { shop: Pick<PublicShop, 'legal' | 'contact'> }) {
  const { company, address, registerNumber, vatNumber } = legal;
  const entries = [
    ['Name', company],
    ['Address', address],
    ['Register number', registerNumber],
    ['VAT number', vatNumber],
    ['Email', contact.email],
    ['Phone', contact.phone],
  ].flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]));
  if (entries.length === 0) {
    return (
      <p>
        The operator of this shop has not said so here yet. Ask before you pay: you should know who holds it.
      </p>
    );
  }
  return (
    <dl className="flex flex-col gap-2">
      {entries.map(({ name, value }) => (
        <div key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
