import { Skeleton } from './states.tsx';

/** Placeholders for the first rows of a list. @param props.className the size of each */
export function Skeletons({ className }: { className: string }) {
  return (
    <div className="flex flex-col gap-3">
      {['first', 'second', 'third', 'fourth'].map((row) => (
        <Skeleton key={row} className={className} />
      ))}
    </div>
  );
}
