import { z } from "zod";
import { latinWords } from "../../content/index.ts";
import type { MediaFile, SendError } from "../contract.ts";
import { call, type Line, withoutDoubt } from "./client.ts";
import { escapeHtml } from "./html.ts";
import { fileEnds, longestFileName } from "./limits.ts";

/** A picture in the site's media library. */
export interface LibraryPicture {
  readonly id: string;
  readonly url: string;
}

export interface SaidOfPicture {
  readonly alt?: string | undefined;
  readonly caption?: string | undefined;
  /** The name of a picture without alt text or caption. */
  readonly name: string;
}

export type Uploaded =
  | { readonly ok: true; readonly picture: LibraryPicture }
  | { readonly ok: false; readonly error: SendError };

const savedShape = z.object({ id: z.int().positive(), source_url: z.url() });

/**
 * Uploads a picture with its texts in one request. Readers see nothing yet, so any error here is a failure; at worst
 * the library has a picture that no page shows.
 */
export async function upload(file: MediaFile, said: SaidOfPicture, line: Line): Promise<Uploaded> {
  const fields = [
    { name: "title", value: escapeHtml(said.alt ?? said.name) },
    ...(said.alt ? [{ name: "alt_text", value: said.alt }] : []),
    ...(said.caption ? [{ name: "caption", value: said.caption }] : []),
  ];
  const form = [...fields, { ...file, name: "file", fileName: fileNameOf(file, said) }];
  const reply = await call({ method: "POST", route: "/wp/v2/media", form }, savedShape, line);
  if (reply.kind === "ok") {
    const { id, source_url } = reply.result;
    return { ok: true, picture: { id: String(id), url: source_url } };
  }
  return { ok: false, error: withoutDoubt(reply).error };
}

/** Latin letters only: many servers cannot store others. */
function fileNameOf({ fileName, contentType }: MediaFile, { alt, name }: SaidOfPicture): string {
  const bare = fileName.replace(/\.[^.]*$/, "");
  // Generated file names tell readers nothing.
  const own = /^[0-9a-f-]{16,}$|^(?:photo|image|file|img|media)?[-_ ]?\d*$/i.test(bare) ? "" : bare;
  const words = latinWords(alt ?? "", longestFileName) || latinWords(own, longestFileName) || name;
  return `${words}.${fileEnds[contentType] ?? "jpg"}`;
}
