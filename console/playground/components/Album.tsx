/** The pictures of a post, one or up to ten, as a mosaic. */
import { EyeOff, ImageOff, Play } from "lucide-react";
import { useState } from "react";
import type { Tile } from "../model/mosaic.ts";
import type { PostMedia } from "../model/timeline.ts";
import { useSettings } from "../settings.tsx";
import type { MediaView } from "../types.ts";
import { MovingPicture } from "./MovingPicture.tsx";
import type { SizedMosaic } from "./useMosaic.ts";

interface Props {
  readonly items: readonly PostMedia[];
  readonly mosaic: SizedMosaic;
  readonly show: (items: readonly PostMedia[], index: number) => void;
}

export function Album({ items, mosaic, show }: Props) {
  return (
    <div className="album" style={{ aspectRatio: mosaic.ratio }}>
      {items.map(({ key, view }, index) => {
        const tile = mosaic.tiles[index];
        return (
          tile && (
            <div key={key} className="album-tile" style={placeOf(tile)}>
              <Picture
                media={view}
                alone={items.length === 1}
                learn={mosaic.learn}
                open={() => show(items, index)}
              />
            </div>
          )
        );
      })}
    </div>
  );
}

function placeOf({ left, top, width, height }: Tile) {
  const percent = (fraction: number) => `${fraction * 100}%`;
  return { left: percent(left), top: percent(top), width: percent(width), height: percent(height) };
}

interface PictureProps {
  readonly media: MediaView;
  readonly alone: boolean;
  readonly learn: SizedMosaic["learn"];
  readonly open: () => void;
}

function Picture({ media, alone, learn, open }: PictureProps) {
  const { texts } = useSettings();
  const [hidden, setHidden] = useState(media.spoiler ?? false);
  const [failed, setFailed] = useState(false);
  const name = media.name ?? texts.media[media.kind];

  if (failed) {
    return (
      <p className="picture-failed" role="img" aria-label={`${name}. ${texts.mediaFailed}`}>
        <ImageOff size={24} aria-hidden />
        <span aria-hidden>{texts.mediaFailed}</span>
      </p>
    );
  }
  if (media.kind === "video" && alone && !hidden) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: a message carries no captions file
      <video
        src={media.url}
        controls
        playsInline
        preload="metadata"
        aria-label={name}
        onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) =>
          learn(media.url, videoWidth, videoHeight)
        }
        onError={() => setFailed(true)}
      />
    );
  }
  return (
    <button
      type="button"
      className="picture"
      data-hidden={hidden}
      aria-label={hidden ? `${texts.media[media.kind]}. ${texts.revealMedia}` : `${texts.openPhoto}: ${name}`}
      onClick={() => (hidden ? setHidden(false) : open())}
    >
      {media.kind === "photo" ? (
        <img
          src={media.url}
          alt={name}
          decoding="async"
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            learn(media.url, naturalWidth, naturalHeight)
          }
          onError={() => setFailed(true)}
        />
      ) : (
        <MovingPicture
          media={media}
          still={media.kind === "video" || hidden}
          sized={(width, height) => learn(media.url, width, height)}
          failed={() => setFailed(true)}
        />
      )}
      {hidden && <EyeOff className="picture-icon" size={22} aria-hidden />}
      {!hidden && media.kind === "video" && <Play className="picture-icon" size={22} aria-hidden />}
      {media.kind === "animation" && <span className="picture-label">GIF</span>}
    </button>
  );
}
