import type { Media } from "../content/index.ts";
import type { CompiledMedia } from "./contract.ts";

export function compiledMedia({ kind, url, blobRef, fileId }: Media): CompiledMedia {
  return { kind, ...(url && { url }), ...(blobRef && { blobRef }), ...(fileId && { fileId }) };
}
