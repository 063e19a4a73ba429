import { useList } from "../../api/index.ts";
import { Button, FilterField, Toolbar } from "../../ui/index.ts";
import { type FilterQuery, type Period, periodOf, periods } from "./filter.ts";
import { channelChoice, type Status, statuses } from "./shapes.ts";
import { isStatus } from "./status.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

interface Props {
  readonly workspaceId: string;
  readonly query: FilterQuery;
  readonly onChange: (changes: FilterQuery) => void;
}

export function DeliveryFilters({ workspaceId, query, onChange }: Props) {
  const texts = usePostsTexts();
  const channels = useList("/channels", { workspace_id: workspaceId }, channelChoice, {
    ...{ topic: "channels", limit: 200 },
  });
  const chosen = (query.status ?? "").split(",").filter(isStatus);
  const toggle = (status: Status) => {
    const next = statuses.filter((each) => (each === status) !== chosen.includes(each));
    onChange({ status: next.join(",") });
  };
  const names = (channels.items ?? []).map(({ channel_id, title, target_name, target_id, platform }) => ({
    value: channel_id,
    title: `${title ?? target_name ?? target_id} (${platform})`,
  }));
  const sinceChoices: { value: Period | ""; title: string }[] = [
    { value: "", title: texts.filter.allTime },
    ...(Object.keys(periods) as Period[]).map((value) => ({ value, title: texts.filter.periods[value] })),
  ];
  const isFiltered = Object.values(query).some(Boolean);
  return (
    <>
      <fieldset className="chips" aria-label={texts.filter.status}>
        {statuses.map((status) => (
          <button
            key={status}
            type="button"
            className="chip"
            aria-pressed={chosen.includes(status)}
            onClick={() => toggle(status)}
          >
            {texts.stage[status]}
          </button>
        ))}
      </fieldset>
      <Toolbar>
        <FilterField
          label={texts.filter.channel}
          value={query.channel ?? ""}
          choices={[{ value: "", title: texts.filter.allChannels }, ...names]}
          onChoose={(channel) => onChange({ channel })}
        />
        <FilterField
          label={texts.filter.since}
          value={periodOf(query)}
          choices={sinceChoices}
          onChoose={(since) => onChange({ since })}
        />
        {isFiltered && (
          <Button look="quiet" onClick={() => onChange({ status: "", channel: "", since: "" })}>
            {texts.filter.clear}
          </Button>
        )}
      </Toolbar>
    </>
  );
}
