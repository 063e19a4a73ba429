/** A picture over the whole page, with its neighbours in the album. */
import { ChevronLeft, ChevronRight, ExternalLink, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { PostMedia } from "../model/timeline.ts";
import { useSettings } from "../settings.tsx";
import type { MediaView } from "../types.ts";
import { MovingPicture } from "./MovingPicture.tsx";

interface Props {
  readonly items: readonly PostMedia[];
  readonly first: number;
  readonly close: () => void;
}

export function Lightbox({ items, first, close }: Props) {
  const { texts } = useSettings();
  const dialog = useRef<HTMLDialogElement>(null);
  const [index, setIndex] = useState(first);
  const item = items[index];

  // The browser's own modal keeps the focus inside, closes on Escape and gives the focus back.
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  if (!item) return null;
  const step = (by: number) => setIndex((index + by + items.length) % items.length);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  };

  return (
    <dialog
      ref={dialog}
      className="lightbox"
      aria-label={texts.media[item.view.kind]}
      onClose={close}
      onKeyDown={onKeyDown}
      onClick={({ target }) =>
        !(target instanceof Element && target.closest("button, a, img, video")) && close()
      }
    >
      <header>
        <span>{items.length > 1 && texts.ofTotal(index + 1, items.length)}</span>
        <a
          className="icon-button"
          href={item.view.url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={texts.openOriginal}
          title={texts.openOriginal}
        >
          <ExternalLink size={20} />
        </a>
        <button
          type="button"
          className="icon-button"
          onClick={close}
          aria-label={texts.close}
          title={texts.close}
        >
          <X size={24} />
        </button>
      </header>
      <figure key={item.key}>
        <Large media={item.view} />
        {item.caption !== "" && <figcaption>{item.caption}</figcaption>}
      </figure>
      {items.length > 1 && (
        <>
          <button
            type="button"
            className="icon-button lightbox-step"
            data-to="previous"
            onClick={() => step(-1)}
            aria-label={texts.previous}
          >
            <ChevronLeft size={32} />
          </button>
          <button
            type="button"
            className="icon-button lightbox-step"
            data-to="next"
            onClick={() => step(1)}
            aria-label={texts.next}
          >
            <ChevronRight size={32} />
          </button>
        </>
      )}
    </dialog>
  );
}

function Large({ media }: { media: MediaView }) {
  const { texts } = useSettings();
  const name = media.name ?? texts.media[media.kind];
  if (media.kind === "photo") return <img src={media.url} alt={name} />;
  if (media.kind === "animation") {
    return <MovingPicture media={media} still={false} sized={() => {}} failed={() => {}} />;
  }
  // biome-ignore lint/a11y/useMediaCaption: a message carries no captions file
  return <video src={media.url} controls autoPlay playsInline aria-label={name} />;
}
