/** What is not shown as a picture: files, sounds, stickers. */
import { Download } from "lucide-react";
import { useState } from "react";
import { fileSize } from "../model/format.ts";
import { useSettings } from "../settings.tsx";
import type { MediaView } from "../types.ts";
import { AudioPlayer } from "./AudioPlayer.tsx";

export function Attachment({ media }: { media: MediaView }) {
  if (media.kind === "sticker") return <Sticker media={media} />;
  if (media.kind === "audio" || media.kind === "voice") return <AudioPlayer media={media} />;
  return <FileLink media={media} />;
}

function Sticker({ media }: { media: MediaView }) {
  const { texts } = useSettings();
  const [failed, setFailed] = useState(false);
  if (failed) return <p className="file-size">{texts.media.sticker}</p>;
  return (
    <img
      className="sticker"
      src={media.url}
      alt={media.name ?? texts.media.sticker}
      onError={() => setFailed(true)}
    />
  );
}

function FileLink({ media }: { media: MediaView }) {
  const { texts, language } = useSettings();
  const name = media.name ?? texts.media[media.kind];
  return (
    <a className="file" href={media.url} download={media.name ?? ""} title={`${texts.download}: ${name}`}>
      <span className="file-icon" data-palette={paletteOf(name)}>
        <span aria-hidden>{extensionOf(name)}</span>
        <Download size={20} aria-hidden />
      </span>
      <span className="file-words">
        <span className="file-name">{name}</span>
        <span className="file-size">
          {media.size !== undefined ? fileSize(media.size, language) : texts.media.document}
        </span>
      </span>
    </a>
  );
}

function extensionOf(name: string): string {
  const extension = /\.([\p{L}\d]{1,5})$/u.exec(name)?.[1];
  return extension?.toLowerCase() ?? "…";
}

/** The colours offices use for their papers; everything else is the accent. */
function paletteOf(name: string): string {
  const extension = extensionOf(name);
  if (extension === "pdf") return "red";
  if (["xls", "xlsx", "csv", "ods"].includes(extension)) return "green";
  if (["zip", "rar", "7z", "gz", "tar"].includes(extension)) return "amber";
  return "accent";
}
