import { Notice, type NoticeProps } from '../ui/notice.tsx';

interface ProblemListProps extends NoticeProps {
  title: string;
  items?: readonly string[];
}

/** What is wrong with a measurement or a listing: in one sentence, in more words, and point by point. */
export function ProblemList({ title, children, items = [], ...notice }: ProblemListProps) {
  return (
    <Notice {...notice} tone="problem">
      <p className="font-semibold">{title}</p>
      {children !== undefined && <p className="mt-1">{children}</p>}
      {items.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {items.map((item) => (
            <li key={item} className="wrap-anywhere">
              {item}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
