import { useLazyComponent } from '../ui/use-lazy-component.ts';
import { useRecentlySeen } from './seen-laptops.ts';

/** The recently seen laptops; nothing when there are none. */
export function RecentlySeen() {
  const laptops = useRecentlySeen();
  const isNeeded = laptops.length > 0;
  const List = useLazyComponent(isNeeded, () =>
    import('./recently-seen-list.tsx').then((loaded) => loaded.RecentlySeenList),
  );
  return isNeeded && List !== null ? <List laptops={laptops} /> : null;
}
