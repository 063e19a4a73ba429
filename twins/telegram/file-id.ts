import type { Bot, MediaKind, StoredFile } from "./model.ts";

const prefixes: Readonly<Record<MediaKind, string>> = {
  photo: "AgAC",
  voice: "AwAC",
  video: "BAAC",
  document: "BQAC",
  audio: "CQAC",
  animation: "CgAC",
};

/** One bot's reference of a file; `side` distinguishes a photo's copies. Always the same for the same file. */
export function fileIdFor(bot: Bot, file: StoredFile, side = ""): string {
  return prefixes[file.kind] + Buffer.from(`${bot.id}.${file.uid}.${side}`).toString("base64url");
}

/** The same for every bot; it cannot be used in requests. */
export function uniqueIdFor(file: StoredFile, side = ""): string {
  return `AQAD${file.uid.slice(0, 12)}${side}`;
}

/** The stored file of this bot's `file_id`; another bot's does not work. */
export function uidOf(bot: Bot, fileId: string): string | undefined {
  if (!Object.values(prefixes).includes(fileId.slice(0, 4))) return undefined;
  const [botId, uid] = Buffer.from(fileId.slice(4), "base64url").toString("utf8").split(".");
  return botId === String(bot.id) ? uid : undefined;
}
