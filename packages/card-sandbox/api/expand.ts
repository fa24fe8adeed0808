import { badParameter } from './api-error.ts';

type Found = Record<string, unknown>;
type Find = (id: string) => Found | undefined;

/**
 * Puts objects in the place of their ids, as a call's `expand` asks; `data.charge` reaches into a list.
 * @param find answers with the object behind an id
 * @throws {Refusal} when a path names nothing that holds an id
 */
export function expandPaths(object: Found, paths: string[], find: Find): Found {
  return paths.reduce((whole, path) => expandPath(whole, path.split('.'), path, find), object);
}

function expandPath(object: Found, parts: string[], path: string, find: Find): Found {
  const [name = '', ...rest] = parts;
  const value = object[name];
  if (value === null) return object;
  const found = typeof value === 'string' ? find(value) : value;
  if (Array.isArray(found)) {
    return {
      ...object,
      [name]: found.map((one) => (isObject(one) ? expandPath(one, rest, path, find) : one)),
    };
  }
  if (!isObject(found)) throw badParameter('expand', `This property cannot be expanded (${path}).`);
  return { ...object, [name]: rest.length === 0 ? found : expandPath(found, rest, path, find) };
}

function isObject(value: unknown): value is Found {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
