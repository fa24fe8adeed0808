import { type ComponentType, useEffect, useState } from 'react';

/**
 * A part of a page that most visits do not show: its code is loaded when it is shown for the first time, in browsers only. The page must
 * work without it: after a failure it stays away until it is rendered again, which loads it again.
 * @param Fallback stands in its place meanwhile
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback: ComponentType<Props> = () => null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part) return;
      load().then(
        (part) => {
          loaded = part;
          setPart(() => part);
        },
        () => undefined,
      );
    });
    return Part === null ? <Fallback {...props} /> : <Part {...props} />;
  };
}
