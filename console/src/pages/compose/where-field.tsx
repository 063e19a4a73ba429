import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Notice, Skeleton, TextField, wordsOf } from "../../ui/index.ts";
import { ChannelChoice } from "./channel-choice.tsx";
import type { Post } from "./post.ts";
import { ByTags } from "./routing.tsx";
import type { Recipients } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import "./where.css";

interface Props {
  readonly post: Post;
  readonly found: Recipients | undefined;
  readonly error: Error | null;
  /** What is wrong with the tags. */
  readonly fault: string | undefined;
  readonly onChange: (changes: Partial<Post>) => void;
}

/** Who gets the post: by its tags, or the channels that a person names. */
export function WhereField({ post: { tags, channelIds }, found, error, fault, onChange }: Props) {
  const { where: texts } = usePageTexts({ ru, en });
  const common = useTexts();
  return (
    <div className="where">
      <div role="radiogroup" aria-label={texts.how} className="choices">
        <label>
          <input
            type="radio"
            name="where"
            checked={channelIds === null}
            onChange={() => onChange({ channelIds: null })}
          />
          {texts.byTags}
        </label>
        <label>
          <input
            type="radio"
            name="where"
            checked={channelIds !== null}
            onChange={() => onChange({ channelIds: [] })}
          />
          {texts.byHand}
        </label>
      </div>
      <TextField
        label={texts.tags}
        hint={texts.tagsHint}
        fault={fault}
        value={tags}
        autoComplete="off"
        onChange={(event) => onChange({ tags: event.target.value })}
      />
      {error && !found && <Notice tone="bad">{wordsOf(error, common)}</Notice>}
      {!found && !error && <Skeleton height={48} />}
      {found?.channels.length === 0 && (
        <Notice tone="warn" title={texts.noChannels}>
          {texts.noChannelsHint}
        </Notice>
      )}
      {found && found.channels.length > 0 && channelIds === null && <ByTags found={found} />}
      {found && found.channels.length > 0 && channelIds !== null && (
        <ChannelChoice
          channels={found.channels}
          chosen={channelIds}
          onChoose={(ids) => onChange({ channelIds: ids })}
        />
      )}
    </div>
  );
}
