import { fakePorts } from '#server/operations/trial/fake-providers.ts';
import { freePorts } from '../platform/ports.ts';

/** The ports of a shop with all fakes: its own, and those of the fakes right after it. */
export const PORTS_OF_SHOP = 1 + Object.keys(fakePorts).length;

/** Finds a free port for a shop, with those after it free for its fakes. */
export const freeShopPort = (): Promise<number> => freePorts(PORTS_OF_SHOP);
