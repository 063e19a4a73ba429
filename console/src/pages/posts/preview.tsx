import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { markView } from "../../../playground/types.ts";
import { ask, withQuery } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Card, FilterField, Notice, Skeleton, wordsOf } from "../../ui/index.ts";
import { nameOf } from "./channel-label.tsx";
import { RichText } from "./rich-text.tsx";
import type { ChannelName, Content } from "./shapes.ts";
import { usePostsTexts } from "./use-posts-texts.ts";
import "./preview.css";

/** Marks of a kind that the chats of the twins do not know are shown as plain text. */
const mark = z.catch(markView, { type: "plain", offset: 0, length: 0 });

const rendering = z.object({
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  losses: z.array(z.object({ code: z.string(), message: z.string() })),
  messages: z.array(
    z.object({
      title: z.optional(z.string()),
      text: z.string(),
      marks: z.array(mark),
      media: z.array(z.object({ kind: z.string() })),
      buttons: z.array(z.array(z.object({ text: z.string() }))),
    }),
  ),
});
type Rendering = z.infer<typeof rendering>;

interface Props {
  readonly workspaceId: string;
  readonly content: Content;
  readonly channels: readonly ChannelName[];
}

/** What readers of a channel see, worked out by the server as it would send it now. */
export function Preview({ workspaceId, content, channels }: Props) {
  const all = useTexts();
  const { post: texts } = usePostsTexts();
  const [chosen, setChosen] = useState(channels[0]?.id ?? "");
  const found = useQuery({
    queryKey: ["channels", workspaceId, "render", chosen, content],
    queryFn: ({ signal }) =>
      ask(withQuery("/render", { workspace_id: workspaceId }), rendering, {
        method: "POST",
        body: { channel_id: chosen, payload: payloadOf(content) },
        signal,
      }),
    retry: false,
  });
  return (
    <Card title={texts.preview}>
      <div className="preview">
        <FilterField
          label={texts.previewIn}
          value={chosen}
          choices={channels.map((channel) => ({
            value: channel.id,
            title: `${nameOf(channel)} (${channel.platform})`,
          }))}
          onChoose={setChosen}
        />
        {found.error && <Notice tone="warn">{wordsOf(found.error, all)}</Notice>}
        {found.isPending && <Skeleton height={90} />}
        {found.data && <Shown rendering={found.data} />}
      </div>
    </Card>
  );
}

function Shown({ rendering: { error, messages } }: { rendering: Rendering }) {
  const { post: texts } = usePostsTexts();
  if (error)
    return (
      <Notice tone="bad" title={texts.previewRefused}>
        {error.message}
      </Notice>
    );
  return (
    <div className="preview-chat">
      {messages.map(({ title, text, marks, media, buttons }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one answer are never reordered
        <div key={at} className="preview-message">
          {media.length > 0 && <p className="preview-media">{texts.previewMedia(media.length)}</p>}
          {title && <strong>{title}</strong>}
          {text !== "" && <RichText text={text} marks={marks} />}
          {buttons.flat().map(({ text: label }) => (
            <span key={label} className="preview-button">
              {label}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

function payloadOf({ title, text, parse_mode, dialect, media, buttons }: Content) {
  return {
    text,
    ...{ parse_mode, dialect, buttons },
    media: media.filter(({ url }) => url !== null),
    ...(title !== null && { article: { title } }),
  };
}
