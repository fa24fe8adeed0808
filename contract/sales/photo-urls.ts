import * as z from 'zod/mini';
import { listOf } from '#contract/platform/scalars.ts';

const PhotoUrl = z
  .string({ error: 'A photo is named by the address that its upload returned' })
  .check(z.maxLength(2000, { error: 'The address of a photo has at most 2000 characters' }));

/** Uploaded photos, each once. @param tooMany says that there are more than the maximum */
export const photoUrls = (maximum: number, tooMany: string) =>
  listOf(maximum, PhotoUrl, 'Photos are a list of URLs', tooMany).check(
    z.refine((urls) => new Set(urls).size === urls.length, { error: 'Each photo can be added only once' }),
  );
