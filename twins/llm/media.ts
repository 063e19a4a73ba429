import { readImage } from "../shared/index.ts";
import type { ChatMessage } from "./body.ts";

/** What a model recognises in the files of a question. */
export interface Media {
  readonly images: readonly string[];
  readonly sounds: readonly string[];
}

export function mediaOf(messages: readonly ChatMessage[]): Media {
  const parts = messages.flatMap((message) =>
    message.role === "user" && typeof message.content !== "string" ? message.content : [],
  );
  return {
    images: parts.flatMap((part) => (part.type === "image_url" ? [imageWords(part.image_url.url)] : [])),
    sounds: parts.flatMap((part) =>
      part.type === "input_audio" ? [soundWords(part.input_audio.data, part.input_audio.format)] : [],
    ),
  };
}

function imageWords(url: string): string {
  const [prefix, type = ""] = /^data:image\/([\w.+-]+);base64,/.exec(url) ?? [];
  if (prefix === undefined) return "снимок по ссылке";
  const size = readImage(Buffer.from(url.slice(prefix.length), "base64"));
  const format = type.toUpperCase();
  return size ? `снимок ${size.width}×${size.height} (${format})` : `файл ${format}, который не открылся`;
}

/** A sound is recognised by its length only; only the header of WAV tells it exactly. */
function soundWords(data: string, format: string): string {
  const bytes = Buffer.from(data, "base64");
  const seconds = format === "wav" ? wavSeconds(bytes) : bytes.length / 16_000;
  return `запись ${Math.max(1, Math.round(seconds))} с (${format.toUpperCase()})`;
}

export function wavSeconds(bytes: Buffer): number {
  if (bytes.length < 44 || bytes.toString("latin1", 0, 4) !== "RIFF") return bytes.length / 16_000;
  const bytesPerSecond = bytes.readUInt32LE(28);
  return bytesPerSecond > 0 ? (bytes.length - 44) / bytesPerSecond : 0;
}
