import { Badge, Moment, type Tone } from "../../ui/index.ts";
import type { BusyChannel } from "./shapes.ts";
import { useWords } from "./use-words.ts";

const tones: Record<BusyChannel["state"], Tone> = { active: "good", paused: "warn", disabled: "bad" };

export function StateBadge({ state }: { state: BusyChannel["state"] }) {
  const { state: names } = useWords();
  return <Badge tone={tones[state]}>{names[state]}</Badge>;
}

/** The state in a word, and under it who stopped the channel, why and until when. */
export function ChannelState({ channel }: { channel: BusyChannel }) {
  const texts = useWords();
  const { state, paused_until, activity, has_credential } = channel;
  const stop = activity?.stop;
  return (
    <div className="channel-state">
      <StateBadge state={state} />
      {state === "paused" && paused_until && (
        <small>
          {texts.until} <Moment at={paused_until} />
        </small>
      )}
      {stop?.by && <small>{whyOf(stop, texts)}</small>}
      {!has_credential && <small className="channel-bad">{texts.noCredential}</small>}
    </div>
  );
}

type Stop = NonNullable<NonNullable<BusyChannel["activity"]>["stop"]>;

export function whyOf({ by, operator, reason }: Stop, texts: ReturnType<typeof useWords>): string {
  const who =
    by === "refusals"
      ? texts.stoppedBy.refusals
      : by === null
        ? null
        : (operator ?? texts.stoppedBy.operator);
  return [who, reason].filter((part) => part !== null).join(": ");
}
