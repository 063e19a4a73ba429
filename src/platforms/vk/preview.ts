import { z } from "zod";
import { mediaPlaceholder } from "../compiled-media.ts";
import type { ChannelProfile, CompiledRequest, Preview } from "../contract.ts";
import { version } from "./client.ts";
import { readMentions } from "./mention.ts";
import { communityOf } from "./target.ts";

const bodyShape = z.looseObject({ message: z.string().default(""), attachments: z.string().optional() });

export function preview(request: CompiledRequest, channel: ChannelProfile): Preview {
  const { message, attachments } = bodyShape.parse(request.body);
  const community = communityOf(channel.targetId);
  const { text, mentions } = readMentions(message);
  const attached = [...request.media.map(mediaPlaceholder), ...(attachments ? [attachments] : [])].join(",");
  return {
    http: {
      method: "POST",
      path: `/method/${request.method}`,
      query: {},
      body: {
        owner_id: "id" in community ? -community.id : `<number of ${community.name}>`,
        from_group: 1,
        ...request.body,
        ...(attached !== "" && { attachments: attached }),
        guid: "<delivery>",
        v: version,
      },
    },
    shown: {
      text,
      marks: mentions.map(({ offset, length, url }) => ({ kind: { type: "link", url }, offset, length })),
      media: request.media,
      buttons: [],
    },
  };
}
