import type { Language } from "../../dialogs/index.ts";
import { texts } from "../bot/texts/index.ts";
import type { BroadcastKind, NoticeKind } from "./broadcasts.ts";

/** Screens of the bot; such buttons work for ever. */
const leadsTo: Readonly<Record<NoticeKind, string>> = {
  ...{ low_balance: "tariffs", weekly_digest: "dashboard", reactivation: "dashboard" },
};

/** The button below a message; news has none. */
export function buttonOf(kind: BroadcastKind, language: Language) {
  if (kind === "news") return undefined;
  return { text: texts[language].notices[kind].button, callback_data: leadsTo[kind] };
}
