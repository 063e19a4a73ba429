import { counted } from "../../../../kernel/words/index.ts";
import type { engine as ru } from "../ru/engine.ts";

export const engine: typeof ru = {
  cancel: "Cancel",
  textExpected: "Please send a text message",
  busy: (title) => `You are in the middle of “${title}”. Send /cancel to leave`,
  staleInFlow: (title) => `You are already in the middle of “${title}”. Go on in the last message.`,
  replaced: (former, next) => `The previous process (${former}) was stopped. Starting ${next}.`,
  rival: (present, next) => `You are already in the middle of “${present}”. Stop it and start “${next}”?`,
  startNew: "Stop it and start the new one",
  keepOn: "Back to the current one",
  leaving: (title, hours) =>
    hours === undefined
      ? `Stop “${title}”? What you entered will not be kept.`
      : `Stop? Your progress is kept for ${counted(hours, { one: "hour", other: "hours" }, "en")}.`,
  stayIn: "Continue the pipeline",
  leave: "Leave for the menu",
  trouble: "An error occurred. Please try later.",
};
