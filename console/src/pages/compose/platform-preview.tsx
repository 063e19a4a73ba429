import { usePageTexts, useTexts } from "../../texts/index.ts";
import { FilterField, Notice, Platform, Skeleton } from "../../ui/index.ts";
import { Bubble } from "./bubble.tsx";
import { Refusal } from "./refusal.tsx";
import { sentLength } from "./sent-length.ts";
import type { Recipient, Rendering } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly workspaceId: string;
  readonly channels: readonly Recipient[];
  readonly channel: Recipient;
  readonly rendering: Rendering | undefined;
  readonly error: Error | null;
  readonly onLook: (channelId: string) => void;
}

export function PlatformPreview({ workspaceId, channels, channel, rendering, error, onLook }: Props) {
  const common = useTexts();
  const { preview: texts, losses } = usePageTexts({ ru, en });
  const names: Readonly<Record<string, string>> = common.platforms;
  const platform = names[channel.platform] ?? channel.platform;
  const changes = [...(rendering?.losses ?? []), ...(rendering?.repairs ?? [])];
  // One repair may be told for many places.
  const told = [...new Map(changes.map(({ code, message }) => [code, losses[code] ?? message]))];
  return (
    <section className="platform-preview" aria-label={platform}>
      <header>
        <h3>
          <Platform name={channel.platform} />
        </h3>
        {channels.length > 1 ? (
          <FilterField
            label={texts.channel(platform)}
            value={channel.id}
            choices={channels.map(({ id, title, target }) => ({ value: id, title: title ?? target }))}
            onChoose={onLook}
          />
        ) : (
          <span className="preview-channel">{channel.title ?? channel.target}</span>
        )}
      </header>
      {error && <Refusal error={error} />}
      {!rendering && !error && <Skeleton height={96} />}
      {rendering?.error && (
        <Notice tone="bad" title={texts.refused}>
          {rendering.error.message}
        </Notice>
      )}
      {rendering?.ok && (
        <>
          <div className="bubbles">
            {rendering.messages.map((message, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages of a preview have nothing else
              <div key={at} className="bubble-place">
                <Bubble message={message} workspaceId={workspaceId} />
                <p className="bubble-count">
                  {texts.count(sentLength(rendering, at), limitOf(channel, message.media.length > 0))}
                </p>
              </div>
            ))}
          </div>
          {rendering.template_version && (
            <p className="field-hint">{texts.template(rendering.template_version)}</p>
          )}
          {told.length === 0 ? (
            <p className="losses none">{texts.noLosses}</p>
          ) : (
            <div className="losses">
              <h4>{texts.losses}</h4>
              <ul>
                {told.map(([code, words]) => (
                  <li key={code}>{words}</li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function limitOf({ limits: { text, caption } }: Recipient, hasMedia: boolean): number {
  return hasMedia && caption !== null ? caption : text;
}
