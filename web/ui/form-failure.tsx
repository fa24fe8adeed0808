/** The error message under a form. */
export function FormFailure({ message }: { message: string | null }) {
  return (
    <p role="alert" className="rounded-lg bg-red-soft px-4 py-3 text-red empty:hidden">
      {message}
    </p>
  );
}
