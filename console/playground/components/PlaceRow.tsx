import { Globe } from "lucide-react";
import { memo } from "react";
import { fullTime, listTime } from "../model/format.ts";
import { placeHashOf } from "../route.ts";
import { useSettings } from "../settings.tsx";
import type { PlaceView } from "../types.ts";
import { Avatar } from "./Avatar.tsx";
import { placeAbout } from "./place-about.ts";

interface Props {
  readonly place: PlaceView;
  readonly open: boolean;
  readonly now: number;
}

export const PlaceRow = memo(function PlaceRow({ place, open, now }: Props) {
  const { texts, language } = useSettings();
  const { changedAt } = place;
  return (
    <a
      className="chat-row"
      href={placeHashOf(place.provider, place.id)}
      data-provider={place.provider}
      aria-current={open ? "page" : undefined}
    >
      <Avatar title={place.title} provider={place.provider} size="l" />
      <span className="chat-row-line">
        <Globe size={14} aria-hidden />
        <span className="chat-row-title">{place.title}</span>
        {changedAt !== undefined && (
          <time dateTime={new Date(changedAt).toISOString()} title={fullTime(changedAt, language)}>
            {listTime(changedAt, now, language)}
          </time>
        )}
      </span>
      <span className="chat-row-line">
        <span className="chat-row-snippet">{placeAbout(place, texts)}</span>
      </span>
    </a>
  );
});
