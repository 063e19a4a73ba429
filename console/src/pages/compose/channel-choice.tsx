import { useState } from "react";
import { usePageTexts } from "../../texts/index.ts";
import { Button, Notice, SearchField } from "../../ui/index.ts";
import { ChannelName } from "./routing.tsx";
import type { Recipient } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly channels: readonly Recipient[];
  readonly chosen: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
}

/** So many the server takes for one post. */
const most = 100;

export function ChannelChoice({ channels, chosen, onChoose }: Props) {
  const { where: texts } = usePageTexts({ ru, en });
  const [search, setSearch] = useState("");
  const [isFull, setIsFull] = useState(false);
  const sought = search.toLocaleLowerCase();
  const shown = channels
    .filter(({ title, target }) => `${title ?? ""} ${target}`.toLocaleLowerCase().includes(sought))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b)) || a.platform.localeCompare(b.platform));
  const toggle = (id: string, on: boolean) => {
    setIsFull(on && chosen.length >= most);
    if (!on) onChoose(chosen.filter((each) => each !== id));
    else if (chosen.length < most) onChoose([...chosen, id]);
  };
  return (
    <div className="channel-choice">
      <SearchField label={texts.search} value={search} onSearch={setSearch} />
      <div className="channel-chosen">
        <span role="status">{texts.chosen(chosen.length)}</span>
        {chosen.length > 0 && (
          <Button look="quiet" onClick={() => onChoose([])}>
            {texts.clear}
          </Button>
        )}
      </div>
      {isFull && <Notice tone="warn">{texts.tooMany}</Notice>}
      {shown.length === 0 ? (
        <p className="field-hint">{texts.nothing}</p>
      ) : (
        <fieldset className="channel-list">
          <legend className="unseen">{texts.list}</legend>
          {shown.map((channel) => (
            <label key={channel.id}>
              <input
                type="checkbox"
                checked={chosen.includes(channel.id)}
                onChange={(event) => toggle(channel.id, event.target.checked)}
              />
              <ChannelName channel={channel} />
              {channel.because === "disabled" && <span className="routing-why">{texts.off}</span>}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function nameOf({ title, target }: Recipient): string {
  return title ?? target;
}
