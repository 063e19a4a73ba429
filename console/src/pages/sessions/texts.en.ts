import { numbersIn } from "../../texts/index.ts";
import type { ru } from "./texts.ru.ts";

const numbers = numbersIn("en");

export const en: typeof ru = {
  title: "Sessions",
  lead: "Where you are signed in to the console. A device you do not know? End its session and change your password.",
  whose: "Whose sessions",
  own: "Mine",
  everybody: "Of all operators",
  device: "Device",
  deviceIn: ({ browser, system }) =>
    browser === null && system === null
      ? "Unknown device"
      : [browser ?? "Browser", system].filter((part) => part !== null).join(", "),
  current: "this one",
  who: "Who",
  address: "Address",
  lastSeen: "Last action",
  since: "Signed in",
  until: "Ends",
  end: "End",
  endOf: (device, login) => `End the session: ${device}, ${login}`,
  endTitle: (device, login) => `End the session “${device}” (${login})?`,
  endHint: "That device has to sign in again. What was not saved there is lost.",
  endOthers: "End all others",
  endOthersTitle: "End all your sessions but this one?",
  endOthersHint: "The other devices have to sign in again.",
  ended: (count) =>
    count === 1
      ? "The session was ended."
      : `Ended: ${numbers.count(count, { one: "session", other: "sessions" })}.`,
};
