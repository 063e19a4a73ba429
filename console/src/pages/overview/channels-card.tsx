import type { Overview } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Card, Platform } from "../../ui/index.ts";
import "./channels-card.css";

const states = ["enabled", "paused", "disabled"] as const;

export function ChannelsCard({ channels }: { channels: Overview["channels"] }) {
  const { overview, numbers } = useTexts();
  if (channels.total === 0) {
    return (
      <Card title={overview.channels}>
        <p className="channels-none">{overview.noChannels}</p>
      </Card>
    );
  }
  return (
    <Card title={overview.channels} aside={overview.channelsTotal(channels.total)}>
      <dl className="channels-rows">
        {states.map((state) => (
          <div key={state} className={`channels-${state}`}>
            <dt>
              <span className="dot" aria-hidden="true" />
              {overview.channelState[state]}
            </dt>
            <dd>{numbers.format(channels[state])}</dd>
          </div>
        ))}
      </dl>
      <h3 className="channels-sub">{overview.byPlatform}</h3>
      <dl className="channels-rows">
        {Object.entries(channels.by_platform).map(([name, count]) => (
          <div key={name}>
            <dt>
              <Platform name={name} />
            </dt>
            <dd>{numbers.format(count)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
