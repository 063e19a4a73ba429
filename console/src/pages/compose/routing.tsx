import { usePageTexts } from "../../texts/index.ts";
import { Notice, Platform } from "../../ui/index.ts";
import type { Recipient, Recipients } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Which channels take a post by its tags, and why the others do not. */
export function ByTags({ found }: { found: Recipients }) {
  const { where: texts } = usePageTexts({ ru, en });
  const taking = found.channels.filter(({ because }) => because === null);
  const others = found.channels.filter(({ because }) => because !== null);
  return (
    <div className="routing" aria-live="polite">
      {taking.length === 0 ? (
        <Notice tone="warn" title={texts.none}>
          {texts.noneHint}
        </Notice>
      ) : (
        <details>
          <summary>{texts.taken(taking.length)}</summary>
          <ul className="routing-list">
            {taking.map((channel) => (
              <li key={channel.id}>
                <ChannelName channel={channel} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {others.length > 0 && (
        <details>
          <summary>{texts.others(others.length)}</summary>
          <ul className="routing-list">
            {others.map((channel) => (
              <li key={channel.id}>
                <ChannelName channel={channel} />
                <span className="routing-why">{becauseOf(channel, texts.because)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

export function ChannelName({ channel }: { channel: Recipient }) {
  return (
    <span className="channel-name">
      {channel.title ?? channel.target}
      <Platform name={channel.platform} />
    </span>
  );
}

function becauseOf(
  { because, because_tags }: Recipient,
  words: Readonly<Record<string, (tags: string) => string>> & { other: (tags: string) => string },
): string {
  return (words[because ?? ""] ?? words.other)(because_tags.join(", "));
}
