interface TaskListProps {
  tasks: readonly { words: string; isDone: boolean }[];
}

/** The parts of a test, and which of them are done. */
export function TaskList({ tasks }: TaskListProps) {
  const done = tasks.filter(({ isDone }) => isDone).length;
  return (
    <>
      <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {tasks.map(({ words, isDone }) => (
          <li key={words} className="flex items-baseline gap-2">
            <span className={`w-14 shrink-0 text-sm ${isDone ? 'font-semibold text-success' : 'text-muted'}`}>
              {isDone ? 'Done' : 'To do'}
            </span>
            {words}
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {done} of {tasks.length} done
      </p>
    </>
  );
}
