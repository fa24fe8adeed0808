/**
 * Runs an action on localStorage or sessionStorage.
 * @returns null when storage is forbidden or full, or when the action throws because an entry is invalid
 */
export function tryStorage<Result>(action: () => Result): Result | null {
  try {
    return action();
  } catch {
    return null;
  }
}
