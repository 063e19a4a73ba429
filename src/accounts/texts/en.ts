import type { AccountTexts } from "./index.ts";

export const en: AccountTexts = {
  noAccounts: "No account is chosen for the object",
  hints: {
    no_active_account: "Tasks wait, but none of their accounts is active: switch one on",
    nothing_due: "Tasks wait for their time: none is due now",
    stuck_tasks: "Some tasks are stuck: reset them, or wait for the next round",
    nothing_planned: "There are no tasks: the plan comes when a window opens or a configuration is saved",
    all_well: "Everything goes as planned",
  },
  verdicts: {
    published: (when) => `Published, last ${when}`,
    planned: (when) => `Planned for ${when}`,
    under_way: () => "Being published this moment",
    flood: () => "Telegram asked an account to wait; its tasks come back when it is reactivated",
    account_off: () => "Waits: its account is off, and tasks get new times when it is on again",
    failed: (when) => `Not published: the last try failed ${when}`,
    hindered: () => "Not published: the named reasons are in the way",
    waits_for_plan: () => "Ready; tasks come with the next plan of the day",
  },
  waitsForAccount: (why) =>
    `The account is off${why ? ` (${why})` : ""}: nothing goes out until it is on again, then tasks get new times`,
  test: "A test of the connection, sent from Molva.",
};
