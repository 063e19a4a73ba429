import type { Media } from "../content/index.ts";
import type { CompiledMedia } from "./contract.ts";

export function compiledMedia({ kind, url, blobRef, fileId }: Media): CompiledMedia {
  return { kind, ...(url && { url }), ...(blobRef && { blobRef }), ...(fileId && { fileId }) };
}

/** A file in a preview, before anybody knows what the provider will call it. */
export function mediaPlaceholder({ kind, url, blobRef, fileId }: CompiledMedia): string {
  return fileId ?? `<${kind} ${url ?? blobRef}>`;
}
