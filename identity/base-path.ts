/** The path below the origin under which the provider serves everything. */
export const BASE_PATH = '/identity';
