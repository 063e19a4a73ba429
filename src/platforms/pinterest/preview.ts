import { mediaPlaceholder } from "../compiled-media.ts";
import type { ChannelProfile, CompiledRequest, Preview } from "../contract.ts";
import { textOfPin, wordsShape } from "./pin.ts";
import { boardNamed } from "./target.ts";

export function preview(request: CompiledRequest, channel: ChannelProfile): Preview {
  const words = wordsShape.parse(request.body);
  const board = boardNamed(channel.targetId);
  const [picture] = request.media;
  const { title } = words;
  return {
    http: {
      method: "POST",
      path: "/v5/pins",
      query: {},
      body: {
        board_id: "id" in board ? board.id : `<number of ${board.owner}/${board.name}>`,
        ...words,
        media_source: {
          source_type: "image_base64",
          content_type: "<image/jpeg or image/png>",
          data: picture ? mediaPlaceholder(picture) : "",
        },
      },
    },
    shown: {
      text: textOfPin(words),
      marks: title ? [{ kind: { type: "bold" }, offset: 0, length: title.length }] : [],
      media: request.media,
      buttons: [],
    },
  };
}
