import { numbersIn } from "../../texts/index.ts";
import type { ru } from "./texts.ru.ts";

const numbers = numbersIn("en");

export const en: typeof ru = {
  title: "Limits",
  lead: "How many requests a second a platform allows one bot or account. All channels of a group share one limit.",
  about: "What it means",
  explained: [
    "A rate group is usually called as its credential: one bot, one group.",
    "The limit counts the requests of all its channels together. Each channel also has a pace of its own, in its settings.",
    "When the platform asks us to wait, the whole group waits, whatever its limit.",
    "With its first channel a group gets the platform's limit: Telegram and MAX 30, VK 3, Pinterest 1.5 requests a second.",
  ],
  add: "Set a limit",
  group: "Group",
  platform: "Platform",
  rate: "Requests a second",
  noLimit: "no limit",
  perSecond: (rate) => numbers.format(rate),
  channels: "Channels",
  state: "Now",
  cooling: "waits for the platform, goes on",
  free: "sends",
  change: "Change",
  changeOf: (name) => `Change the limit of “${name}”`,
  remove: "Delete",
  removeOf: (name) => `Delete the limit of “${name}”`,
  rateHint: "From 0 to 1000, fractions too: 0.5 is a request every two seconds. Empty or 0: no limit",
  notNumber: "This is not a number.",
  groupHint: "Choose a group of channels, or write a new one",
  saved: (name) => `The limit of “${name}” is saved.`,
  ask: (name) => `Delete the limit of “${name}”?`,
  askHint:
    "The group then has no shared limit. Its channels keep their own pace, and the platform may ask us to wait.",
  gone: (name) => `“${name}” has no limit any more.`,
  empty: "No limits yet",
  emptyHint: "They come with the first channel, or set one yourself.",
};
