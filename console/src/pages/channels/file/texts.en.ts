import { numbersIn } from "../../../texts/index.ts";
import type { fileRu } from "./texts.ru.ts";

const numbers = numbersIn("en");
const channels = (count: number) => numbers.count(count, { one: "channel", other: "channels" });

export const fileEn: typeof fileRu = {
  open: "File of channels",
  title: "Channels as a file",
  lead: "Save all channels, edit them, load them back. You see what would change first.",
  exportTitle: "Export",
  exportHint:
    "There are no tokens in the file, only names of credentials. Connections of the bots' users are not in it.",
  download: (count) => `Download YAML: ${channels(count)}`,
  importTitle: "Import",
  importHint:
    "A channel is known by its platform and address. What the file does not say stays: a missing field is not changed, a missing channel is not deleted.",
  choose: "Choose a file…",
  text: "Contents of the file",
  textHint: "You can paste it here as well. null clears a field",
  example:
    'channels:\n  - platform: telegram\n    target_id: "-1001234567890"\n    auth_ref: news-bot\n    title: News',
  refused: "The file is refused; nothing was changed",
  faults: {
    syntax: (line, detail) => `Line ${line}: this is not YAML (${detail}).`,
    unknown: (line, key) => `Line ${line}: there is no field “${key}”. It may be mistyped.`,
    missing: (line, keys) => `Line ${line}: the channel lacks ${keys}.`,
    twice: (line, name) => `Line ${line}: the channel ${name} was there before.`,
    shape: (line) => `Line ${line}: a list “channels:” of channels with fields is needed.`,
  },
  plan: "What would change",
  summary: (added, changed, same) =>
    `To add: ${channels(added)}, to change: ${channels(changed)}, unchanged: ${channels(same)}.`,
  unmentioned: (count) => `Not in the file: ${channels(count)}; they stay.`,
  added: (name) => `New: ${name}`,
  rotateInstead: "The credential is changed on the channel's page; it stays here.",
  apply: (count) => `Apply: ${channels(count)}`,
  progress: (done, all) => `Applying: ${done} of ${all}…`,
  done: (count) => `Applied: ${channels(count)}`,
  ok: "done",
};
