import type { AccountTexts } from "./index.ts";

export const en: AccountTexts = {
  noAccounts: "No account is selected for this object",
  hints: {
    no_active_account: "Tasks are waiting, but none of their accounts is active: switch one on",
    nothing_due: "Nothing is due yet: all tasks are scheduled for later",
    stuck_tasks: "Some tasks are stuck: reset them, or wait for the next automatic check",
    nothing_planned:
      "No tasks yet: they are planned when the posting window opens or a configuration is saved",
    all_well: "Everything is on schedule",
  },
  verdicts: {
    published: (when) => `Published, most recently ${when}`,
    planned: (when) => `Scheduled for ${when}`,
    under_way: () => "Being published right now",
    flood: () => "Telegram asked the account to wait; its tasks resume when it is switched on again",
    account_off: () => "On hold: the account is off; tasks are rescheduled when it is switched on",
    failed: (when) => `Not published: the last attempt failed ${when}`,
    hindered: () => "Not being published, for the reasons listed",
    waits_for_plan: () => "Ready; tasks are created with the next daily plan",
  },
  waitsForAccount: (why) =>
    `The account is off${why ? ` (${why})` : ""}: nothing is sent until it is switched on again, then tasks are rescheduled`,
  test: "Connection test, sent from Molva.",
};
