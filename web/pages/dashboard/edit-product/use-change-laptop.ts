import { changeLaptop } from '#contract/listings/catalogue.ts';
import { type FormValues, toListing } from '../../../laptop-form/form-values.ts';
import { useWrite } from '../../../requests/use-write.ts';

/** Changes a laptop whose photos are uploaded. */
export function useChangeLaptop(_id: string) {
  const { mutateAsync } = useWrite(changeLaptop, { done: () => undefined, onError: () => undefined });
  /** @param images the URL of each photo, in display order @param version the one that the form was filled with @throws Problem */
  return async (values: FormValues, images: readonly string[], version: number) => {
    await mutateAsync({ params: { _id }, body: { ...toListing(values, images), version } });
  };
}
