import type { Settings } from '#contract/operations/settings.ts';

/** Who runs the shop, as far as its operator has configured it. */
export function Operator({ operator: { legalName, address, taxId } }: Pick<Settings, 'operator'>) {
  const entries = [
    ['Name', legalName],
    ['Address', address],
    ['Tax number', taxId],
  ].flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
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
