import { invalidParameter } from './api-error.ts';

type ApiObject = Record<string, unknown>;
type FindObject = (id: string) => ApiObject | undefined;

/**
 * Replaces ids by their objects, as the parameter `expand` requests. A path such as `data.charge` reaches into a list.
 * @param find returns the object of an id
 * @throws {ApiError} if a path names a property that is not an id
 */
export function expandPaths(object: ApiObject, paths: string[], find: FindObject): ApiObject {
  return paths.reduce((whole, path) => expandPath(whole, path.split('.'), path, find), object);
}

function expandPath(object: ApiObject, parts: string[], path: string, find: FindObject): ApiObject {
  const [name = '', ...rest] = parts;
  const value = object[name];
  if (value === null) return object;
  const found = typeof value === 'string' ? find(value) : value;
  if (Array.isArray(found)) {
    return {
      ...object,
      [name]: found.map((item) => (isObject(item) ? expandPath(item, rest, path, find) : item)),
    };
  }
  if (!isObject(found)) throw invalidParameter('expand', `This property cannot be expanded (${path}).`);
  return { ...object, [name]: rest.length === 0 ? found : expandPath(found, rest, path, find) };
}

function isObject(value: unknown): value is ApiObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
