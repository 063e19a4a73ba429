import type { AlertTexts } from "./texts.ts";

export const en: AlertTexts = {
  locale: "en-GB",
  subject: (workspace, first, more) =>
    `Molva, ${workspace}: ${first}${more > 0 ? ` (other reasons: ${more})` : ""}`,
  title: (workspace) => `Molva, ${workspace}: attention needed`,
  test: {
    title: (workspace) => `Molva, ${workspace}: a test of alerts`,
    what: "Alerts arrive here.",
    todo: "Somebody asked for this test; there is nothing to do.",
  },
  reasons: {
    dead_deliveries: {
      what: (count) => `Deliveries out of attempts: ${count}`,
      todo: "Ask molva why for the reason, remove it, and send them again: molva delivery requeue.",
    },
    failed_permanent_threshold: {
      what: (count, threshold) => `Refused for good within 10 minutes: ${count}, threshold ${threshold}`,
      todo: "The provider does not take these posts. Check their text and media, and the bot's rights in the channel.",
    },
    paused_channels_threshold: {
      what: (count, threshold) => `Paused channels: ${count}, threshold ${threshold}`,
      todo: "Check that the bot is still an administrator and its token works, then bring the channels back: molva channel resume.",
    },
    sending_leases_recovered: {
      what: (count) => `Interrupted sends that were taken up again: ${count}`,
      todo: "A process stopped in the middle of sending. Some posts may have arrived: where the provider can be asked, Molva asks. Find out why the process stopped.",
    },
    claimed_leases_recovered: {
      what: (count) => `Deliveries taken but never started, now back in the queue: ${count}`,
      todo: "The dispatcher stopped or cannot keep up. Check that a process with the role dispatcher is running.",
    },
    silence_detected: {
      what: (count) => `Channels that fell silent: ${count}`,
      todo: "Posts were due and did not come out. Check where they come from, the queue, and the posting windows.",
    },
    source_failed: {
      what: (count) => `Sources that could not be read: ${count}`,
      todo: "Check the source's address and access to it. It is tried again, and the other sources go on.",
    },
    orphan_events: {
      what: (count) => `Events that point at nothing: ${count}`,
      todo: "Rows were deleted or written past Molva. Find out who changes the delivery schema directly.",
    },
    bot_error_spike: {
      what: () => "The shop bot fails to answer too often",
      todo: "See what failed: molva bot dialogue list and molva bot stats. Check the bot's token and the way to MAX.",
    },
    fallback_rate_high: {
      what: () => "Too many questions to the shop bot fit no rule",
      todo: "See what people ask: molva bot unanswered. Add keywords or a rule.",
    },
    operator_missing: {
      what: () => "Customers ask for a person, and the bot has no operators' group",
      todo: "Set the group: molva bot set operators_chat_id=<chat>. Until then the bot says that it can call nobody.",
    },
    operator_silent: {
      what: (count) => `Customers called a person and had no answer in time: ${count}`,
      todo: "Answer them in the operators' group or by molva bot dialogue list. Who is on duty?",
    },
    accounts_stopped: {
      what: (count) => `Telegram stopped accounts that publish: ${count}`,
      todo: "See why, and when an account may be switched on again: molva account list. Its tasks wait for it.",
    },
  },
  since: (time) => `since ${time}`,
  until: (time) => `until ${time}`,
  times: (count) => `×${count}`,
  missing: { channel: "no such channel", message: "no such message", delivery: "no such delivery" },
  source: (id) => `source ${id}`,
  unnamedChannel: "a channel without a title",
  console: (url) => `Details in the console: ${url}`,
};
