import * as z from 'zod/mini';

const isFunction = (value: unknown) => typeof value === 'function';
type Combine = (target: number, one: number, other: number, length: number) => void;

const Exports = z.object({
  and: z.custom<Combine>(isFunction),
  or: z.custom<Combine>(isFunction),
  andNot: z.custom<Combine>(isFunction),
  countAnd: z.custom<(one: number, other: number, length: number) => number>(isFunction),
  between:
    z.custom<(target: number, column: number, low: number, high: number, length: number) => void>(isFunction),
});

/** The functions of `kernel.wat`. Arguments are byte offsets in one memory; `length` is a multiple of 16 bytes. */
export type Kernel = z.infer<typeof Exports>;

/**
 * `kernel.wat`, compiled by wabt. The compiler is a development dependency: at run time it would cost 100 ms and 20 MB for
 * these bytes. `kernel.test.ts` compiles the source again and compares.
 */
export const compiledKernel = [
  'AGFzbQEAAAABFwNgBH9/f38AYAN/f38Bf2AFf39/f38AAhEBBWluZGV4Bm1lbW9yeQIAAQMGBQAAAAECByoFA2FuZAAAAm9yAAEGYW5kTm90AAII',
  'Y291bnRBbmQAAwdiZXR3ZWVuAAQK7AIFNwEBfwJAA0AgBCADTw0BIAAgBGogASAEav0ABAAgAiAEav0ABAD9Tv0LBAAgBEEQaiEEDAALCws3AQF/',
  'AkADQCAEIANPDQEgACAEaiABIARq/QAEACACIARq/QAEAP1Q/QsEACAEQRBqIQQMAAsLCzcBAX8CQANAIAQgA08NASAAIARqIAEgBGr9AAQAIAIg',
  'BGr9AAQA/U/9CwQAIARBEGohBAwACwsLVAIBfwF7AkADQCADIAJPDQEgBCAAIANq/QAEACABIANq/QAEAP1O/WL9ff1//a4BIQQgA0EQaiEDDAAL',
  'CyAE/RsAIAT9GwFqIAT9GwIgBP0bA2pqC20CAX8EeyAC/REhBiAD/REhBwJAA0AgBSAETw0BIAH9AAQAIQggAf0ABBAhCSAAIAVqIAggBv1AIAgg',
  'B/0+/U79pAEgCSAG/UAgCSAH/T79Tv2kAUEEdHI6AAAgAUEgaiEBIAVBAWohBQwACwsL',
].join('');

const kernelModule = new WebAssembly.Module(Buffer.from(compiledKernel, 'base64'));

/** Creates the functions on a memory. */
export function createKernel(memory: WebAssembly.Memory): Kernel {
  return z.parse(Exports, new WebAssembly.Instance(kernelModule, { index: { memory } }).exports);
}
