import { z } from "zod";
import { definedOnly } from "../../shared/index.ts";
import { chatOf, checkPosting } from "../access.ts";
import { badRequest } from "../api-error.ts";
import type { Method } from "../call.ts";
import type { LinkPreview } from "../model.ts";
import { flag, json, type Params } from "../params.ts";
import { checkText, post, readOptions, readText } from "../posting.ts";

export const sendMessage: Method = (call, deps) => {
  const { params } = call;
  const formatted = readText(params);
  const linkPreview = readLinkPreview(params);
  const chat = chatOf(deps.store, params);
  checkPosting(chat, call.bot, "text");
  const options = readOptions(params, chat, deps);
  checkText(formatted);
  const draft = { ...formatted, ...(linkPreview && { linkPreview }) };
  return post(call, deps, { chat, contents: ["text"], options }, [draft])[0];
};

const linkPreviewShape = z.object({
  is_disabled: z.boolean().optional(),
  url: z.string().optional(),
  show_above_text: z.boolean().optional(),
  prefer_small_media: z.boolean().optional(),
  prefer_large_media: z.boolean().optional(),
});

export function readLinkPreview(params: Params): LinkPreview | undefined {
  const given = json(params, "link_preview_options");
  if (given === undefined)
    return flag(params, "disable_web_page_preview") ? { is_disabled: true } : undefined;
  const parsed = linkPreviewShape.safeParse(given);
  if (!parsed.success) throw badRequest("can't parse link preview options JSON object");
  return definedOnly(parsed.data);
}
