import { type ProblemTable, pointerTo, problem, problemsOf } from "../../http/index.ts";
import { type FileError, fileErrorText } from "../rules/read-rule-file.ts";

export const botProblems = {
  bot_missing: {
    status: 404,
    title: "There is no shop bot",
    meaning: "The workspace has no shop bot yet: make one with `molva bot setup` or `POST /api/v1/bot`.",
  },
  bot_rules_refused: {
    status: 422,
    title: "The rules cannot be applied",
    meaning:
      "The rule file has errors, or its example dialogues give other answers; `errors` lists each with its place.",
  },
  bot_provider_refused: {
    status: 502,
    title: "MAX refused",
    meaning: "MAX refused the request or did not answer; `detail` quotes it.",
  },
  bot_answer_pending: {
    status: 504,
    title: "The bot has not answered yet",
    meaning: "The answer did not arrive within the time the caller waits; `detail` has the reason.",
  },
} as const satisfies ProblemTable;

export const botProblem = problemsOf(botProblems);

export function fileRefused(errors: readonly FileError[]) {
  const [first] = errors;
  return botProblem("bot_rules_refused", {
    detail: first
      ? `${fileErrorText(first)}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ""}`
      : "The file has errors.",
    errors: errors.map((error) => ({
      pointer: pointerTo(error.path),
      detail: fileErrorText(error),
    })),
  });
}

export const noSuchChat = (chatId: string) =>
  problem("not_found", { detail: `There is no dialogue with the chat ${chatId}.` });
