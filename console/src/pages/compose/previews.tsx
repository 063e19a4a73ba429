import { useState } from "react";
import { usePageTexts } from "../../texts/index.ts";
import { Card } from "../../ui/index.ts";
import { useRenderings } from "./api.ts";
import { chosenOf } from "./chosen.ts";
import { PlatformPreview } from "./platform-preview.tsx";
import type { Post } from "./post.ts";
import type { Recipients } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import "./previews.css";

interface Props {
  readonly workspaceId: string;
  readonly post: Post;
  readonly found: Recipients | undefined;
}

/** One channel of each platform as it would show the post; the person may look at any other. */
export function Previews({ workspaceId, post, found }: Props) {
  const { preview: texts } = usePageTexts({ ru, en });
  const [looked, setLooked] = useState<Readonly<Record<string, string>>>({});
  const chosen = chosenOf(found, post);
  const platforms = [...new Set(chosen.map(({ platform }) => platform))];
  const shown = platforms.flatMap((platform) => {
    const channels = chosen.filter((channel) => channel.platform === platform);
    const channel = channels.find(({ id }) => id === looked[platform]) ?? channels[0];
    return channel ? [{ platform, channels, channel }] : [];
  });
  const renderings = useRenderings(
    workspaceId,
    post,
    shown.map(({ channel }) => channel.id),
  );
  const isEmpty = post.text.trim() === "" && post.media.length === 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
    <div className="previews" tabIndex={0}>
      <Card title={texts.title}>
        {isEmpty || shown.length === 0 ? (
          <p className="previews-none">{isEmpty ? texts.empty : texts.nobody}</p>
        ) : (
          <div className="previews-list">
            {shown.map(({ platform, channels, channel }, at) => (
              <PlatformPreview
                key={platform}
                workspaceId={workspaceId}
                channels={channels}
                channel={channel}
                rendering={renderings[at]?.data}
                error={renderings[at]?.error ?? null}
                onLook={(id) => setLooked({ ...looked, [platform]: id })}
              />
            ))}
          </div>
        )}
      </Card>
    </div>
  );
}
