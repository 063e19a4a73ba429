import type { ru } from "./first-steps.ru.ts";

export const en: typeof ru = {
  done: "Done",
  open: "To do",
  workspace: (name) => `The workspace “${name}” exists`,
  channel: "Connect a channel",
  channelHint:
    "You need the token of a bot that is an administrator there. Molva checks that the bot may post.",
  toChannel: "Connect a channel",
  post: "Send the first post",
  postHint: "Write it here: before it goes out you see how each channel will show it.",
  toPost: "Write a post",
  endpoint: "Take posts from your programs",
  endpointHint: "An endpoint gives a secret with which programs send posts to Molva.",
  toEndpoint: "Open the endpoints",
  askOthers: "An operator or an admin of this workspace takes these steps.",
  commands: "All of this works by command, too: npx molva --help.",
};
