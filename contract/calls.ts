import * as modules from './modules.ts';
import type { Endpoint } from './platform/endpoint.ts';

/** The modules of the contract by name, with all their exports. */
export const contractModules: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(
  Object.entries(modules),
);

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'access' in value && 'response' in value && 'path' in value
  );
}

/** Returns the endpoints that a module exports, by name. */
export function callsOf(exported: Readonly<Record<string, unknown>>): [name: string, endpoint: Endpoint][] {
  return Object.entries(exported).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1]));
}

type Modules = typeof modules;

/** The name of an endpoint of the contract. */
export type CallName = {
  [Module in keyof Modules]: {
    [Name in keyof Modules[Module]]: Modules[Module][Name] extends Pick<Endpoint, 'access' | 'path'>
      ? Name
      : never;
  }[keyof Modules[Module]];
}[keyof Modules];

/** All endpoints of the contract by name. */
export const calls: ReadonlyMap<string, Endpoint> = new Map([...contractModules.values()].flatMap(callsOf));
