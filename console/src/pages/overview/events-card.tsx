import type { DeliveryEvent } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Card, Moment, Platform } from "../../ui/index.ts";
import { lookOf } from "./event-looks.ts";
import { sentenceOf } from "./event-words.ts";
import "./events-card.css";

export function EventsCard({ events }: { events: readonly DeliveryEvent[] }) {
  const { overview } = useTexts();
  return (
    <Card title={overview.latest}>
      {events.length === 0 ? (
        <p className="events-none">{overview.noEvents}</p>
      ) : (
        <ol className="events">
          {events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function EventRow({ event }: { event: DeliveryEvent }) {
  const texts = useTexts();
  const { icon: Icon, tone } = lookOf(event);
  const { before, channel, after } = sentenceOf(event, texts.events);
  return (
    <li className={`event ${tone}`}>
      <Icon aria-hidden="true" className="event-icon" />
      <div className="event-body">
        <p title={event.action}>
          {before}
          {channel !== null && <strong>{texts.quote(channel)}</strong>}
          {after}
        </p>
        <p className="event-facts">
          {event.channel && <Platform name={event.channel.platform} />}
          {event.attempt > 1 && <span>{texts.overview.attempt(event.attempt)}</span>}
        </p>
        {event.error && (
          <p className="event-error">
            {event.error.code && <code>{event.error.code}</code>} {event.error.message}
          </p>
        )}
      </div>
      <span className="event-time">
        <Moment at={event.ts} />
      </span>
    </li>
  );
}
