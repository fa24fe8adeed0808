import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';

/**
 * Loads a component when it is needed for the first time, for parts of a page that most visits do not show. The page must
 * work without it: after a failure the component stays away until it is needed anew.
 * @returns null until it is loaded
 */
export function useLazyComponent<Props>(
  isNeeded: boolean,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> | null {
  const [component, setComponent] = useState<ComponentType<Props> | null>(null);
  const start = useEffectEvent(() => {
    load().then(
      (loaded) => setComponent(() => loaded),
      () => undefined,
    );
  });
  useEffect(() => {
    if (isNeeded) start();
  }, [isNeeded]);
  return component;
}
