import { type EventText, useTexts } from "../../texts/index.ts";
import { ZonedTime } from "../../ui/index.ts";
import { lookOf } from "../overview/event-looks.ts";
import { ErrorWords } from "./error-words.tsx";
import type { DeliveryEvent } from "./shapes.ts";
import { usePostsTexts } from "./use-posts-texts.ts";
import "./timeline.css";

interface Props {
  readonly events: readonly DeliveryEvent[];
  readonly channel: string;
  readonly zone: string;
}

/** What happened to a delivery, newest first: what was tried, what the platform answered, who did what and why. */
export function Timeline({ events, channel, zone }: Props) {
  const all = useTexts();
  const { delivery: texts } = usePostsTexts();
  const words: Readonly<Record<string, EventText>> = all.events;
  if (events.length === 0) return <p>{texts.noEvents}</p>;
  return (
    <ol className="timeline">
      {events.map((event) => {
        const { icon: Icon, tone } = lookOf(event);
        const { reason } = event.meta;
        return (
          <li key={event.id}>
            <Icon aria-hidden="true" className={tone} />
            <div>
              <p>{words[event.action]?.[0].replace("{channel}", all.quote(channel)) ?? event.action}</p>
              <p className="timeline-when">
                <ZonedTime at={event.ts} zone={zone} />
                {event.attempt > 0 && `, ${texts.attempt(event.attempt)}`}
                {event.by && `, ${texts.by(event.by)}`}
              </p>
              {typeof reason === "string" && <p>{texts.because(reason)}</p>}
              {event.error && <ErrorWords error={event.error} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
