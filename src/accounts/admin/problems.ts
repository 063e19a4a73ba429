import { type ProblemTable, problemsOf } from "../../http/index.ts";

export const accountsProblems = {
  not_yours: {
    status: 403,
    title: "It belongs to somebody else",
    meaning:
      "Accounts, objects and lists belong to whoever created them; only the owner and callers with the scope `admin` may use them.",
  },
  account_inactive: {
    status: 409,
    title: "The account is switched off",
    meaning:
      "The account neither publishes nor joins chats until it is reactivated; `detail` says what stopped it.",
  },
  account_flood_wait: {
    status: 409,
    title: "Telegram asked the account to wait",
    meaning:
      "The wait is not over; `Retry-After` says how long it lasts. Reactivation with `force` ignores it, at the account's risk.",
  },
  account_refused: {
    status: 502,
    title: "Telegram refused",
    meaning: "Telegram refused the request or did not answer; `detail` quotes it.",
  },
  account_rate_limited: {
    status: 429,
    title: "The account has to wait before its next message",
    meaning: "The limiter allows one message a minute and 60 an hour; `Retry-After` says how long to wait.",
  },
  telegram_not_configured: {
    status: 503,
    title: "No Telegram application is configured",
    meaning:
      "Accounts connect to Telegram through your own application: set MOLVA_TELEGRAM_API_ID and MOLVA_TELEGRAM_API_HASH.",
  },
  publication_duplicates: {
    status: 409,
    title: "It was published there within the last 24 hours",
    meaning: "At least one of the chats already has it, so nothing was queued; `errors` lists those chats.",
  },
  join_nothing_left: {
    status: 400,
    title: "The account is already in all of these chats",
    meaning: "The list has no chat that the account has not joined yet.",
  },
  join_flood_wait: {
    status: 409,
    title: "Telegram asked for a wait before the next join",
    meaning: "The task can continue when the wait is over; `Retry-After` says how long it lasts.",
  },
} as const satisfies ProblemTable;

export const accountsProblem = problemsOf(accountsProblems);

export function whyInactive({ last_error }: { last_error: string | null }): string {
  return last_error
    ? `The account is switched off: ${last_error}`
    : "The account is switched off; reactivate it first.";
}
