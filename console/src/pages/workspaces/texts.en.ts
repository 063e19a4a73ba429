import type { ru } from "./texts.ru.ts";

export const en: typeof ru = {
  title: "Workspaces",
  lead: "Each workspace has channels, people and secrets of its own. One does not see what is in another.",
  create: "New workspace",
  submitCreate: "Create",
  made: (name) => `“${name}” was made. Choose it at the top of the page.`,
  name: "Name",
  statusTitle: "State",
  status: { active: "works", paused: "paused", disabled: "disabled" },
  zone: "Time zone",
  zoneHint: "Such as Europe/Moscow. The posting windows of channels without a zone of their own go by it.",
  channels: "Channels",
  created: "Made",
  actionsOf: (name) => `What to do with “${name}”`,
  changeTitle: (name) => `Change “${name}”`,
  pause: "Pause",
  resume: "Resume",
  disable: "Disable",
  ask: {
    pause: {
      title: (name) => `Pause “${name}”?`,
      hint: "Posts are taken and wait, but nothing is sent until you resume it.",
      done: (name) => `“${name}” is paused.`,
    },
    resume: {
      title: (name) => `Resume “${name}”?`,
      hint: "Everything that waited begins to be sent.",
      done: (name) => `“${name}” works again.`,
    },
    disable: {
      title: (name) => `Disable “${name}”?`,
      hint: "Posts are neither taken nor sent. The data stay, and it can be enabled again.",
      done: (name) => `“${name}” is disabled.`,
    },
  },
  export: "Export",
  exportTitle: (name) => `Export “${name}”?`,
  exportHint:
    "The browser downloads an NDJSON file with everything but secrets and media. It holds what people wrote and who they are: keep it safe. The audit notes the export.",
  remove: "Delete for good",
  removeTitle: (name) => `Delete “${name}” for good?`,
  removeHint:
    "Channels, posts, people, secrets and files are gone and cannot be brought back. Only the audit stays.",
  exportFirst: "It can be deleted within a day of an export. If you have not exported it yet, do it now.",
  notExported: "Export the workspace first: it can be deleted within a day of that.",
  removed: (name) => `“${name}” was deleted.`,
  empty: "No workspaces yet",
  emptyHint: "Make the first one, or ask an administrator of the installation to let you in.",
};
