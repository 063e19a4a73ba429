import { type CSSProperties, type PointerEvent, useState } from "react";
import type { Minute } from "../../api/index.ts";
import { locale } from "../../preferences/index.ts";
import { useTexts } from "../../texts/index.ts";
import { clockTime } from "../../time/index.ts";
import { Card } from "../../ui/index.ts";
import { ceilingOf, minuteUnder, quartersOf, totalsOf } from "./activity.ts";
import "./activity-card.css";

export function ActivityCard({ minutes }: { minutes: readonly Minute[] }) {
  const { overview } = useTexts();
  const totals = totalsOf(minutes);
  const isQuiet = totals.sent + totals.failed === 0;
  return (
    <Card
      title={overview.activity}
      aside={isQuiet ? overview.activityQuiet : overview.activitySummary(totals.sent, totals.failed)}
    >
      <Chart minutes={minutes} />
    </Card>
  );
}

function Chart({ minutes }: { minutes: readonly Minute[] }) {
  const { overview, numbers } = useTexts();
  const language = locale.use();
  const [looked, setLooked] = useState<number | null>(null);
  const ceiling = ceilingOf(minutes);
  const last = minutes.length - 1;
  const current = minutes[looked ?? last];
  const timeOf = (at: string) => clockTime(new Date(at), language, false);
  const look = (event: PointerEvent<HTMLElement>) => {
    const edge = event.currentTarget.getBoundingClientRect();
    setLooked(minuteUnder(event.clientX - edge.left, edge.width, minutes.length));
  };
  return (
    <div className="chart">
      <div className="chart-scale" aria-hidden="true">
        {[ceiling, ceiling / 2, 0].map((mark) => (
          <span key={mark}>{numbers.format(mark)}</span>
        ))}
      </div>
      <div className="chart-field">
        <div className="chart-bars" aria-hidden="true">
          {minutes.map((minute, index) => (
            <Bar key={minute.at} minute={minute} ceiling={ceiling} looked={index === looked} />
          ))}
        </div>
        {/* A native slider walks the minutes: arrows, touch and screen readers need nothing of ours. */}
        <input
          type="range"
          min={0}
          max={Math.max(0, last)}
          value={looked ?? Math.max(0, last)}
          aria-label={`${overview.activity}. ${overview.activityHint}`}
          aria-valuetext={
            current && `${timeOf(current.at)}: ${overview.activitySummary(current.sent, current.failed)}`
          }
          onChange={(event) => setLooked(event.target.valueAsNumber)}
          onPointerMove={look}
          onPointerLeave={() => setLooked(null)}
          onBlur={() => setLooked(null)}
        />
        {looked !== null && current && (
          <div className="chart-tip" aria-hidden="true" style={tipPlace((looked + 0.5) / minutes.length)}>
            <strong>{timeOf(current.at)}</strong>
            <span>
              <i className="dot square sent" /> {numbers.format(current.sent)} {overview.sent}
            </span>
            <span>
              <i className="dot square failed" /> {numbers.format(current.failed)} {overview.failed}
            </span>
          </div>
        )}
      </div>
      <div className="chart-times" aria-hidden="true">
        {quartersOf(minutes).map((index) => (
          <span key={index} style={{ left: percent((index + 0.5) / minutes.length) }}>
            {timeOf(minutes[index]?.at ?? "")}
          </span>
        ))}
      </div>
    </div>
  );
}

function Bar({ minute, ceiling, looked }: { minute: Minute; ceiling: number; looked: boolean }) {
  return (
    <span className={looked ? "bar looked" : "bar"}>
      {minute.failed > 0 && <i className="failed" style={{ height: percent(minute.failed / ceiling) }} />}
      {minute.sent > 0 && <i className="sent" style={{ height: percent(minute.sent / ceiling) }} />}
    </span>
  );
}

/** The tooltip is above its bar, and shifts so that it stays inside the chart. */
function tipPlace(share: number): CSSProperties {
  return { left: percent(share), transform: `translateX(${percent(-share)})` };
}

function percent(share: number): string {
  return `${share * 100}%`;
}
