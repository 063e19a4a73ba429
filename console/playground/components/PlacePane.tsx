/** A site, a wall or a board as its readers see it. */
import { ArrowLeft, ExternalLink } from "lucide-react";
import { leaveChat } from "../route.ts";
import { useSettings } from "../settings.tsx";
import type { PlaceView } from "../types.ts";
import { Avatar } from "./Avatar.tsx";
import { placeAbout } from "./place-about.ts";

export function PlacePane({ place }: { place: PlaceView }) {
  const { texts } = useSettings();
  return (
    <section className="chat" data-provider={place.provider} aria-label={place.title}>
      <header className="chat-header">
        <button
          type="button"
          className="icon-button phone-only"
          onClick={leaveChat}
          aria-label={texts.back}
          title={texts.back}
        >
          <ArrowLeft size={22} />
        </button>
        <Avatar title={place.title} provider={place.provider} size="m" />
        <div className="chat-header-words">
          <h2>{place.title}</h2>
          <p aria-live="polite">{placeAbout(place, texts)}</p>
        </div>
        <a
          className="icon-button"
          href={place.url}
          target="_blank"
          rel="noopener"
          aria-label={texts.openInTab}
          title={texts.openInTab}
        >
          <ExternalLink size={20} />
        </a>
      </header>
      {/* It contains what others wrote, so no script of it runs. A change reloads it. */}
      <iframe
        key={`${place.url} ${place.items} ${place.changedAt ?? ""}`}
        className="place-frame"
        src={place.url}
        title={place.title}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      />
    </section>
  );
}
