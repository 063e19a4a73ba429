import type { Media } from "../content/index.ts";
import type { CompiledMedia } from "./contract.ts";

export function compiledMedia({ kind, url, blobRef, fileId }: Media): CompiledMedia {
  return { kind, ...(url && { url }), ...(blobRef && { blobRef }), ...(fileId && { fileId }) };
}

/** Represents a file in a preview, before the provider has given it a reference. */
export function mediaPlaceholder({ kind, url, blobRef, fileId }: CompiledMedia): string {
  return fileId ?? `<${kind} ${url ?? blobRef}>`;
}
