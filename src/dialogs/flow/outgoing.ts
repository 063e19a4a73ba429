/** Files that the bot sends. */
import { z } from "zod";
import type { Text } from "./text.ts";

/**
 * A file that can be found again: at a public address, which the messenger fetches by itself, or by a key of the bot's
 * own storage (`files` of its settings).
 */
export const pictureShape = z.union([z.object({ url: z.string() }), z.object({ stored: z.string() })]);
export type Picture = z.infer<typeof pictureShape>;

/** Bytes are kept with the step until they are sent. */
export type Source = Picture | { readonly bytes: Uint8Array };

export interface Photo {
  readonly photo: Source;
  readonly caption?: Text;
}

export interface Document {
  readonly document: Source;
  /** With its extension: `prices.xlsx`. */
  readonly name: string;
  readonly caption?: Text;
}

/** One message with a photo or a document, or an album of 2 to 10 photos. */
export type Attachment = Photo | Document | { readonly album: readonly Photo[] };
