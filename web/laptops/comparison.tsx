import { useLazyComponent } from '../ui/use-lazy-component.ts';
import { useComparedLaptops } from './compared-laptops.ts';

/** The laptops chosen for comparison, at the bottom of the window; nothing when there are none. */
export function Comparison() {
  const laptops = useComparedLaptops();
  const isNeeded = laptops.length > 0;
  const Bar = useLazyComponent(isNeeded, () =>
    import('./compare-bar.tsx').then((loaded) => loaded.CompareBar),
  );
  return isNeeded && Bar !== null ? <Bar laptops={laptops} /> : null;
}
