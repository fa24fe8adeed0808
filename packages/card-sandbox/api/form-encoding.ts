type FormValue = string | FormValue[] | FormObject;
export type FormObject = { [name: string]: FormValue };

/**
 * Parses form encoding as Stripe does: in `a[b][0]=c`, brackets nest, and numbered or empty brackets make lists.
 * @throws {RangeError} if brackets nest deeper than in any of Stripe's parameters
 */
export function parseForm(encoded: string): FormObject {
  const root = emptyObject();
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.replaceAll(']', '').split('[');
    if (path.length > 10) throw new RangeError('Parameters nest too deeply.');
    setAtPath(root, path, value);
  }
  for (const key of Object.keys(root)) root[key] = convertLists(root[key] ?? '');
  return root;
}

function setAtPath(root: FormObject, path: string[], value: string): void {
  let node = root;
  for (const [depth, part] of path.entries()) {
    const key = part === '' ? String(Object.keys(node).length) : part;
    if (depth === path.length - 1) {
      node[key] = value;
      return;
    }
    const next = node[key];
    if (next !== undefined && typeof next !== 'string' && !Array.isArray(next)) {
      node = next;
    } else {
      const created = emptyObject();
      node[key] = created;
      node = created;
    }
  }
}

function convertLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  for (const key of keys) value[key] = convertLists(value[key] ?? '');
  const isList = keys.length > 0 && keys.every((key, index) => key === String(index));
  return isList ? Object.values(value) : value;
}

/** Has no prototype, so that a parameter name cannot reach an inherited property. */
function emptyObject(): FormObject {
  return Object.create(null);
}
