import type { ru } from "./ru.ts";

export const en: typeof ru = {
  back: "← Back",
  cancel: "Cancel",
  keepOn: "Continue",
  startNew: "Start new",
  stale: "This button is from an earlier screen.",
  working: "I am already working on it, one moment.",
  cancelled: "All right, cancelled.",
  nothingToCancel: "There is nothing to cancel.",
  ended: "Done.",
  textExpected: "Please send a text message.",
  buttonExpected: "Please choose a button.",
  mediaExpected: "A file of another kind is needed here.",
  tooLong: "This is too long. Please send a shorter text.",
  edited: "I do not read edited messages again. Please send it once more.",
  idle: "Nothing is under way.",
  changed: "The bot was updated and this could not be continued. Please start again.",
  trouble: "Something went wrong and we know about it. Please try again.",
  busy: (title) => `You are in the middle of: ${title}. Send /cancel to leave.`,
  rival: (present, next) => `You have not finished: ${present}. Continue, or start: ${next}?`,
  replaced: (former, next) => `The previous one (${former}) was stopped. Starting: ${next}.`,
};
