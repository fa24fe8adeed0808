import { Link, useSearchParams } from 'react-router';

/** The look of a link in a row of tabs. */
export const tabClasses = (isChosen: boolean): string =>
  `inline-flex min-h-11 items-center rounded-full border px-4 font-semibold text-sm ${isChosen ? 'border-accent bg-accent-soft text-link' : 'border-border-strong bg-surface hover:bg-subtle'}`;

/** The list that the address names as `?list=`; without one, the first. */
export function useChosenList<Name extends string>(names: readonly [Name, ...Name[]]): Name {
  const [parameters] = useSearchParams();
  return names.find((name) => name === parameters.get('list')) ?? names[0];
}

interface ListTabsProps<Name extends string> {
  /** The accessible name. */
  label: string;
  /** The first one is shown at the address without a parameter. */
  tabs: readonly { name: Name; label: string }[];
  chosen: Name;
}

/** Links to the lists of a page. See {@link useChosenList}. */
export function ListTabs<Name extends string>({ label: navigation, tabs, chosen }: ListTabsProps<Name>) {
  return (
    <nav aria-label={navigation} className="mb-6 flex flex-wrap gap-2">
      {tabs.map(({ name, label }, index) => (
        <Link
          key={name}
          to={index === 0 ? '?' : `?list=${name}`}
          aria-current={name === chosen ? 'page' : undefined}
          className={tabClasses(name === chosen)}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
