/** A silent looping picture. Messengers keep it as video, senders also give plain GIF files. */
import { useState } from "react";
import type { MediaView } from "../types.ts";

interface Props {
  readonly media: MediaView;
  /** Show the first frame only. */
  readonly still: boolean;
  readonly sized: (width: number, height: number) => void;
  readonly failed: () => void;
}

export function MovingPicture({ media, still, sized, failed }: Props) {
  const [isVideo, setIsVideo] = useState(true);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (isVideo) {
    return (
      <video
        src={media.url}
        muted
        loop
        playsInline
        autoPlay={!still && !calm}
        preload="metadata"
        onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) => sized(videoWidth, videoHeight)}
        onError={() => (media.kind === "animation" ? setIsVideo(false) : failed())}
      />
    );
  }
  return (
    <img
      src={media.url}
      alt={media.name ?? ""}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => sized(naturalWidth, naturalHeight)}
      onError={failed}
    />
  );
}
