/**
 * The functions of libheif's WebAssembly build that the shop calls. The package ships no types for this entry point, and
 * its own file types every result as `any`. A failed call returns an object with a `code`.
 */
declare module 'libheif-js/wasm-bundle.js' {
  interface LibHeif {
    readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
    readonly heif_chroma: {
      readonly heif_chroma_interleaved_RGB: unknown;
      readonly heif_chroma_interleaved_RGBA: unknown;
    };
    readonly heif_error_code: { readonly heif_error_Ok: unknown };
    heif_context_alloc(): unknown;
    heif_context_free(context: unknown): void;
    heif_context_read_from_memory(context: unknown, bytes: Uint8Array): { code: unknown; message: string };
    heif_js_context_get_primary_image_handle(context: unknown): unknown;
    heif_image_handle_get_width(image: unknown): number;
    heif_image_handle_get_height(image: unknown): number;
    heif_image_handle_has_alpha_channel(image: unknown): number;
    heif_image_handle_release(image: unknown): void;
    /** The pixels are a view of the module's memory, valid until the image is released or another one is decoded. */
    heif_js_decode_image2(image: unknown, colorspace: unknown, chroma: unknown): unknown;
    heif_image_release(image: unknown): void;
  }
  const libheif: LibHeif;
  export default libheif;
}
