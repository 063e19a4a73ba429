import { chatOf, checkPosting } from "../access.ts";
import type { Deps, Method, MethodCall } from "../call.ts";
import { resolveMedia } from "../media.ts";
import type { MediaKind, Message, StoredFile } from "../model.ts";
import { flag, integer, type Params, text } from "../params.ts";
import { checkCaption, type Draft, post, readCaption, readOptions } from "../posting.ts";

/** `sendPhoto`, `sendVideo` and the like: one file with a caption. */
export function sendMedia(kind: MediaKind): Method {
  return async (call, deps) => {
    const { params } = call;
    const caption = readCaption(params);
    const chat = chatOf(deps.store, params);
    checkPosting(chat, call.bot, kind);
    const options = readOptions(params, chat, deps);
    checkCaption(caption);
    const file = await fileOf(call, deps, kind, params, text(params, kind));
    const draft: Draft = { ...caption, ...lookOf(params, file) };
    return post(call, deps, { chat, contents: [kind], options }, [draft])[0];
  };
}

/** The file that `fields` describe: those of a call, or of one item of an album. */
export function fileOf(
  { bot, params }: MethodCall,
  deps: Deps,
  kind: MediaKind,
  fields: Params,
  value: string,
): Promise<StoredFile> {
  const said: { width?: number; height?: number; duration?: number } = {};
  for (const name of ["width", "height", "duration"] as const) {
    const number = integer(fields, name);
    if (number !== undefined) said[name] = number;
  }
  return resolveMedia({ bot, kind, value, uploads: params.uploads, said }, deps);
}

export function lookOf(fields: Params, file: StoredFile): Pick<Message, "media" | "captionAbove"> {
  return {
    media: { fileUid: file.uid, spoiler: flag(fields, "has_spoiler") },
    ...(flag(fields, "show_caption_above_media") && { captionAbove: true }),
  };
}
