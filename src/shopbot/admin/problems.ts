import { type ProblemTable, pointerTo, problem, problemsOf } from "../../http/index.ts";
import { type FileFault, faultText } from "../rules/read-file.ts";

/** The codes of the shop bot, besides the common ones. */
export const botProblems = {
  bot_missing: {
    status: 404,
    title: "There is no shop bot",
    meaning: "The workspace has no shop bot yet: make one with `molva bot setup` or `POST /api/v1/bot`.",
  },
  bot_rules_refused: {
    status: 422,
    title: "The rules cannot come into force",
    meaning:
      "The rule file has faults, or its example dialogues do not go as written; `errors` names each with its place.",
  },
  bot_provider_refused: {
    status: 502,
    title: "MAX did not do it",
    meaning: "MAX refused the request or did not answer; `detail` has its words.",
  },
  bot_answer_pending: {
    status: 504,
    title: "The bot has not answered yet",
    meaning: "The answer did not arrive within the time the caller waits; `detail` has the reason.",
  },
} as const satisfies ProblemTable;

export const botProblem = problemsOf(botProblems);

/** A file's faults, with the place of each. */
export function fileRefused(faults: readonly FileFault[]) {
  const [first] = faults;
  return botProblem("bot_rules_refused", {
    detail: first
      ? `${faultText(first)}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ""}`
      : "The file has faults.",
    errors: faults.map((fault) => ({
      pointer: pointerTo(fault.path),
      detail: faultText(fault),
    })),
  });
}

export const noSuchChat = (chatId: string) =>
  problem("not_found", { detail: `There is no dialogue with the chat ${chatId}.` });
