import { useState } from 'react';
import { href } from 'react-router';
import { formatCount } from '../../formats/counts.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import type { FilterGroup, FilterValue } from './filter-groups.ts';
import { PriceFilter } from './price-filter.tsx';
import { withToggled } from './search-url.ts';
import { useEarlyChoices } from './use-early-choices.ts';
import { usePriceFields } from './use-price-fields.ts';
import type { SearchState } from './use-search-state.ts';

/** The id of the form in the page, to which the order belongs as well. */
export const FILTER_FORM = 'filter-form';

/** The number of values that are shown of a long filter; the chosen ones are always shown. */
const SHOWN_VALUES = 6;

/** The filters that start folded, because few buyers need them. */
const folded: readonly string[] = ['generation', 'graphics', 'system', 'place'];

interface GroupProps {
  group: FilterGroup;
  search: SearchState;
}

function Value({ group, value, search }: GroupProps & { value: FilterValue }) {
  const { parameters, show } = search;
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md py-0.5 hover:text-link">
      <Checkbox
        name={group.name}
        value={value.value}
        checked={parameters.getAll(group.name).includes(value.value)}
        onChange={() => show(withToggled(parameters, group.name, value.value))}
      />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{value.label}</span>
      <span className="figures text-muted text-sm">
        {formatCount(value.count)}
        <span className="sr-only"> {value.count === 1 ? 'laptop' : 'laptops'}</span>
      </span>
    </label>
  );
}

/** The first values and the chosen ones, and the others folded. */
function Values({ group, search }: GroupProps) {
  const { values, name } = group;
  const chosen = search.parameters.getAll(name);
  // What was chosen when the list appeared: a value must not move to another place when it is clicked.
  const [first] = useState(() => chosen);
  const isShort = values.length <= SHOWN_VALUES + 1;
  const shown = values.filter(({ value }, index) => isShort || index < SHOWN_VALUES || first.includes(value));
  const others = values.filter((value) => !shown.includes(value));
  const list = (some: readonly FilterValue[]) =>
    some.map((value) => <Value key={value.value} group={group} value={value} search={search} />);
  return (
    <>
      {list(shown)}
      {others.length > 0 && (
        <details className="group/more">
          <summary className="min-h-8 py-1 font-semibold text-link text-sm group-open/more:hidden">
            Show all {values.length}
          </summary>
          {list(others)}
        </details>
      )}
    </>
  );
}

function Group({ group, search }: GroupProps) {
  const [isOpen] = useState(() => !folded.includes(group.name) || search.parameters.has(group.name));
  return (
    <details open={isOpen} className="group/filter border-border border-t py-3">
      <summary className="flex min-h-8 items-center justify-between font-semibold">
        {group.title}
        <Icon name="chevronDown" className="size-5 text-muted group-open/filter:rotate-180" />
      </summary>
      <fieldset className="mt-1">
        <legend className="sr-only">{group.title}</legend>
        <Values group={group} search={search} />
      </fieldset>
    </details>
  );
}

export interface FilterFormProps {
  groups: readonly FilterGroup[];
  search: SearchState;
  /** {@link FILTER_FORM} for the one in the page. */
  id?: string;
}

/** The filters. Each change shows its results at once; without scripts the form is submitted. */
export function FilterForm({ groups, search, id = '' }: FilterFormProps) {
  const hydrated = useHydrated();
  useEarlyChoices(id, search);
  const price = usePriceFields(search);
  const words = search.parameters.get('q');
  const [brand, ...others] = groups;
  return (
    <form
      id={id || undefined}
      action={href('/laptops')}
      method="get"
      aria-label="Filters"
      // What a browser restores of an earlier visit would count as chosen.
      autoComplete="off"
      className="flex flex-col"
      onSubmit={(event) => {
        // All other controls are applied already.
        event.preventDefault();
        price.apply();
      }}
    >
      {words !== null && <input type="hidden" name="q" value={words} />}
      {brand !== undefined && <Group group={brand} search={search} />}
      <PriceFilter fields={price} />
      {others.map((group) => (
        <Group key={group.name} group={group} search={search} />
      ))}
      {!hydrated && (
        <Button type="submit" className="mt-3">
          Apply
        </Button>
      )}
    </form>
  );
}
