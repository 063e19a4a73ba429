import { z } from "zod";
import {
  alignMarkedText,
  createLossLog,
  type MarkedText,
  markedTextOf,
  parseContent,
} from "../../content/index.ts";
import { mediaPlaceholder } from "../compiled-media.ts";
import type { ChannelProfile, CompiledRequest, Preview } from "../contract.ts";
import { recipientOf } from "./client.ts";
import { linkSchemes } from "./limits.ts";
import { uploadTypeOf } from "./media.ts";

const bodyShape = z.looseObject({
  text: z.string().optional(),
  format: z.enum(["html", "markdown"]).optional(),
  attachments: z
    .array(
      z.object({
        type: z.literal("inline_keyboard"),
        payload: z.object({
          buttons: z.array(z.array(z.looseObject({ text: z.string(), url: z.string() }))),
        }),
      }),
    )
    .optional(),
});

export function preview(request: CompiledRequest, channel: ChannelProfile): Preview {
  const { text = "", format, attachments = [] } = bodyShape.parse(request.body);
  const files = request.media.map((media) => ({
    type: uploadTypeOf(media),
    payload: { token: mediaPlaceholder(media) },
  }));
  const attached = [...files, ...attachments];
  return {
    http: {
      method: "POST",
      path: "/messages",
      query: { ...recipientOf(channel.targetId), ...request.query },
      body: { ...request.body, ...(attached.length > 0 && { attachments: attached }) },
    },
    shown: {
      ...markedTextIn(text, format, request.text),
      media: request.media,
      buttons: attachments.flatMap(({ payload }) =>
        payload.buttons.map((row) => row.map((button) => ({ text: button.text, url: button.url }))),
      ),
    },
  };
}

/** Parses a text as MAX does; without formatting if it is too dense for our parser. */
function markedTextIn(markup: string, format: "html" | "markdown" | undefined, text: string): MarkedText {
  const parsed = format && parseContent(markup, format, "max");
  const marked = parsed?.ok && markedTextOf(parsed.document, { losses: createLossLog(), linkSchemes });
  return (marked && alignMarkedText(marked, text)) || { text, marks: [] };
}
