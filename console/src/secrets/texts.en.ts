import type { ru } from "./texts.ru.ts";

export const en: typeof ru = {
  hint: "Save it now: it cannot be shown again.",
  leave: "The secret cannot be shown again. Leave without saving it?",
  kept: "Saved, close",
  networks: "From which networks",
  networksHint: "Such as 203.0.113.0/24 or one address, each on a line of its own. Empty: from everywhere.",
  overlap: "How long the old secret still works",
  overlaps: { none: "Not at all: change at once", hour: "An hour", day: "A day", week: "A week" },
};
