import { useTexts } from "../../texts/index.ts";
import { Button, FilterField, SearchField, Toolbar } from "../../ui/index.ts";
import { useAllChannels } from "./calls.ts";
import { platforms } from "./shapes.ts";
import { useWords } from "./use-words.ts";

export interface ChannelQuery {
  readonly text?: string;
  readonly platform?: string;
  readonly state?: string;
  readonly tag?: string;
}

const flags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  active: { enabled: "true", paused: "false" },
  paused: { enabled: "true", paused: "true" },
  disabled: { enabled: "false" },
};

/** The filters as the server asks for them. An address that somebody wrote by hand may hold anything. */
export function filterOf({ text, platform, state, tag }: ChannelQuery): Readonly<Record<string, string>> {
  return {
    ...(text && { text }),
    ...(platform && platforms.some((each) => each === platform) && { platform }),
    ...(state && flags[state]),
    ...(tag && { tag }),
  };
}

interface Props {
  readonly workspaceId: string;
  readonly query: ChannelQuery;
  readonly onChange: (changes: ChannelQuery) => void;
}

export function ChannelFilters({ workspaceId, query, onChange }: Props) {
  const common = useTexts();
  const texts = useWords();
  const all = useAllChannels(workspaceId);
  const tags = [
    ...new Set([...(all.data ?? []).flatMap((each) => each.tags), ...(query.tag ? [query.tag] : [])]),
  ];
  return (
    <Toolbar>
      <SearchField label={texts.search} value={query.text ?? ""} onSearch={(text) => onChange({ text })} />
      <FilterField
        label={texts.platform}
        value={query.platform ?? ""}
        choices={[
          { value: "", title: texts.anyPlatform },
          ...platforms.map((value) => ({ value, title: common.platforms[value] })),
        ]}
        onChoose={(platform) => onChange({ platform })}
      />
      <FilterField
        label={texts.stateTitle}
        value={query.state ?? ""}
        choices={[
          { value: "", title: texts.anyState },
          ...(["active", "paused", "disabled"] as const).map((value) => ({
            value,
            title: texts.states[value],
          })),
        ]}
        onChoose={(state) => onChange({ state })}
      />
      <FilterField
        label={texts.tag}
        value={query.tag ?? ""}
        choices={[
          { value: "", title: texts.anyTag },
          ...tags.sort((one, other) => one.localeCompare(other)).map((value) => ({ value, title: value })),
        ]}
        onChoose={(tag) => onChange({ tag })}
      />
      {Object.keys(query).length > 0 && (
        <Button look="quiet" onClick={() => onChange({ text: "", platform: "", state: "", tag: "" })}>
          {texts.clear}
        </Button>
      )}
    </Toolbar>
  );
}
