import { Pause, Play } from "lucide-react";
import { useRef, useState } from "react";
import { fileSize, playTime } from "../model/format.ts";
import { useSettings } from "../settings.tsx";
import type { MediaView } from "../types.ts";

export function AudioPlayer({ media }: { media: MediaView }) {
  const { texts, language } = useSettings();
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [failed, setFailed] = useState(false);
  const [position, setPosition] = useState(0);
  const [duration, setDuration] = useState(0);
  const name = media.name ?? texts.media[media.kind];

  const toggle = () => {
    if (playing) audio.current?.pause();
    else audio.current?.play().catch(() => setFailed(true));
  };
  const about = [
    duration > 0 ? `${playTime(position)} / ${playTime(duration)}` : undefined,
    media.size !== undefined ? fileSize(media.size, language) : undefined,
    failed ? texts.mediaFailed : undefined,
  ];

  return (
    <div className="audio">
      <button
        type="button"
        className="audio-play"
        onClick={toggle}
        disabled={failed}
        aria-label={`${playing ? texts.pause : texts.play}: ${name}`}
      >
        {playing ? <Pause size={20} aria-hidden /> : <Play size={20} aria-hidden />}
      </button>
      <div className="file-words">
        <span className="file-name">{name}</span>
        <input
          type="range"
          min={0}
          max={duration || 1}
          step="any"
          value={position}
          disabled={duration === 0}
          aria-label={texts.position}
          aria-valuetext={playTime(position)}
          onChange={({ target }) => {
            if (audio.current) audio.current.currentTime = target.valueAsNumber;
          }}
        />
        <span className="file-size">{about.filter(Boolean).join(" · ")}</span>
      </div>
      {/* biome-ignore lint/a11y/useMediaCaption: a message carries no captions file */}
      <audio
        ref={audio}
        src={media.url}
        preload="metadata"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => setPosition(currentTarget.currentTime)}
        onDurationChange={({ currentTarget: { duration } }) =>
          setDuration(Number.isFinite(duration) ? duration : 0)
        }
        onError={() => setFailed(true)}
      />
    </div>
  );
}
