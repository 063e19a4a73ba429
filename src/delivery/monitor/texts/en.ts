import type { AlertTexts } from "./texts.ts";

export const en: AlertTexts = {
  locale: "en-GB",
  subject: (workspace, first, more) =>
    `Molva, ${workspace}: ${first}${more > 0 ? ` (and ${more} more)` : ""}`,
  title: (workspace) => `Molva, ${workspace}: attention needed`,
  test: {
    title: (workspace) => `Molva, ${workspace}: alert test`,
    what: "Alerts arrive here.",
    todo: "Somebody requested this test; nothing needs to be done.",
  },
  reasons: {
    dead_deliveries: {
      what: (count) => `Deliveries that ran out of attempts: ${count}`,
      todo: "Find the reason with molva why, fix it, and send them again: molva delivery requeue.",
    },
    failed_permanent_threshold: {
      what: (count, threshold) => `Permanent refusals in 10 minutes: ${count} (threshold ${threshold})`,
      todo: "The provider does not accept these posts. Check their text and media, and the bot's rights in the channel.",
    },
    paused_channels_threshold: {
      what: (count, threshold) => `Paused channels: ${count} (threshold ${threshold})`,
      todo: "Check that the bot is still an administrator and its token works, then resume the channels: molva channel resume.",
    },
    sending_leases_recovered: {
      what: (count) => `Interrupted sends, now recovered: ${count}`,
      todo: "A process stopped in the middle of sending. Some posts may have arrived: where the provider allows it, Molva checks by itself. Find out why the process stopped.",
    },
    claimed_leases_recovered: {
      what: (count) => `Deliveries taken but never started, now back in the queue: ${count}`,
      todo: "The dispatcher stopped or cannot keep up. Check that a process with the dispatcher role is running.",
    },
    silence_detected: {
      what: (count) => `Channels that went silent: ${count}`,
      todo: "Posts were due but did not come out. Check where they come from, the queue, and the posting windows.",
    },
    source_failed: {
      what: (count) => `Sources that could not be read: ${count}`,
      todo: "Check the source's address and access to it. It is retried automatically; the other sources keep working.",
    },
    webhook_disabled: {
      what: (count) => `Webhooks that were switched off because their receivers do not answer: ${count}`,
      todo: "See what they answered: molva webhook log. When the receiver works, molva webhook change <webhook> enabled=true, then molva webhook replay <webhook> --failed-since <time>.",
    },
    page_faults: {
      what: (count) => `Published pages that are not in order: ${count}`,
      todo: "See what is wrong with each: molva delivery show. Put it right on the site or in the post; the page itself stays published.",
    },
    orphan_events: {
      what: (count) => `Events that refer to missing rows: ${count}`,
      todo: "Rows were deleted or written bypassing Molva. Find out who changes the delivery schema directly.",
    },
    bot_error_spike: {
      what: () => "The shop bot fails to answer too often",
      todo: "See what failed: molva bot dialogue list and molva bot stats. Check the bot's token and the connection to MAX.",
    },
    fallback_rate_high: {
      what: () => "Too many questions to the shop bot match no rule",
      todo: "See what people ask: molva bot unanswered. Add keywords or a rule.",
    },
    operator_missing: {
      what: () => "Customers ask for a person, but the bot has no operators' group",
      todo: "Set the group: molva bot set operators_chat_id=<chat>. Until then the bot tells customers that it cannot call anyone.",
    },
    operator_silent: {
      what: (count) => `Customers who asked for a person and got no answer in time: ${count}`,
      todo: "Answer them in the operators' group; molva bot dialogue list shows who is waiting.",
    },
    accounts_stopped: {
      what: (count) => `Publishing accounts stopped by Telegram: ${count}`,
      todo: "See why, and when an account can be switched on again: molva account list. Its tasks wait until then.",
    },
    billing_discrepancy: {
      what: () => "The books of tokens and payments do not agree",
      todo: "See where: molva billing check. Stop selling until it is clear; nothing is corrected automatically.",
    },
    payment_trouble: {
      what: (count) => `Trouble with payments: ${count}`,
      todo: "If the key of YooKassa is refused, check YOOKASSA_SHOP_ID and YOOKASSA_SECRET_KEY. Notifications from foreign networks are refused and need nothing, unless a proxy stands in front: then set MOLVA_TRUST_PROXY.",
    },
    llm_no_credits: {
      what: () => "A provider of language models has no credit left",
      todo: "Top up the account, or raise the limit of its key. Until then policies use their fallbacks at other providers, or fail.",
    },
    payment_refused: {
      what: (count) =>
        `Payments that came and were not credited, because they are unlike what was sold: ${count}`,
      todo: "See which: molva billing payments --faulty. Give the money back with molva billing refund, or adjust the balance.",
    },
  },
  since: (time) => `since ${time}`,
  until: (time) => `until ${time}`,
  times: (count) => `×${count}`,
  missing: { channel: "no such channel", message: "no such message", delivery: "no such delivery" },
  source: (id) => `source ${id}`,
  unnamedChannel: "an untitled channel",
  console: (url) => `Details in the console: ${url}`,
};
