import { LinkButton, SmallButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Photo } from '../ui/photo.tsx';
import { clearComparison, comparisonUrl, removeFromComparison } from './compared-laptops.ts';
import type { StoredLaptop } from './stored-laptops.ts';

/** The laptops chosen for comparison, with a link that compares them. */
export function CompareBar({ laptops }: { laptops: readonly StoredLaptop[] }) {
  return (
    <section
      aria-label="Comparison"
      className="bottom-bar fixed inset-x-0 bottom-0 z-20 border-border border-t bg-surface shadow-raised"
    >
      <div className="page-width flex items-center gap-3 py-2.5">
        <ul className="flex min-w-0 flex-1 gap-2">
          {laptops.map((laptop) => (
            <li
              key={laptop._id}
              className="relative flex min-w-0 items-center gap-2 md:rounded-lg md:border md:border-border md:pr-8"
            >
              <Photo
                url={laptop.image}
                alt=""
                sizes="3rem"
                className="size-11 shrink-0 rounded-lg object-cover"
              />
              <span className="truncate text-sm max-md:sr-only">{laptop.name}</span>
              <button
                type="button"
                aria-label={`Remove ${laptop.name} from the comparison`}
                onClick={() => removeFromComparison(laptop._id)}
                className="absolute top-1/2 right-0.5 grid size-7 -translate-y-1/2 place-items-center rounded-full text-muted hover:bg-subtle hover:text-foreground max-md:hidden"
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <SmallButton variant="quiet" onClick={clearComparison}>
          Clear<span className="sr-only"> the comparison</span>
        </SmallButton>
        <LinkButton to={comparisonUrl(laptops)} size="small" className="min-h-11">
          Compare <span className="figures">{laptops.length}</span>
        </LinkButton>
      </div>
    </section>
  );
}
