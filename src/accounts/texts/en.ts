import type { AccountTexts } from "./index.ts";

const of = (name: string | undefined) => (name ? ` “${name}”` : "");

export const en: AccountTexts = {
  reasons: {
    object_archived: () => "The object is archived",
    no_text: () => "The object has no text",
    no_config: () => "The object has no autopublish configuration",
    autopublish_off: () => "Autopublishing is switched off for the object",
    accounts_off: () => "Publishing through accounts is switched off for the object",
    no_accounts: () => "No account is chosen for the object",
    no_chats: ({ account }) => `No chat is chosen for the account${of(account)}`,
    account_missing: () => "The chosen account is gone",
    account_inactive: ({ account }) => `The account${of(account)} is switched off`,
    account_not_connected: ({ account }) => `The account${of(account)} is not signed in to Telegram`,
    chat_missing: () => "The chosen chat is gone",
    chat_of_bot: ({ chat }) => `A bot publishes in the chat${of(chat)}, not accounts`,
    chat_inactive: ({ chat }) => `The chat${of(chat)} is switched off`,
    chat_not_linked: ({ account, chat }) => `The chat${of(chat)} is not linked with the account${of(account)}`,
    chat_not_writable: ({ account, chat }) => `The account${of(account)} may not write to the chat${of(chat)}`,
  },
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
    failed: (when) => `Not published: the last try failed ${when}`,
    hindered: () => "Not published: the named reasons are in the way",
    waits_for_plan: () => "Ready; tasks come with the next plan of the day",
  },
  test: "A test of the connection, sent from Molva.",
};
