/** Dialogs: flows as data, and the engine that leads people through them in any messenger. */
export { createDialogs, type Dialogs, type DialogsSettings } from "./engine/dialogs.ts";
export type { BotKey } from "./engine/dialogue.ts";
export { type Notice, notify } from "./engine/notify.ts";
export { FlowError, registerFlows } from "./flow/check.ts";
export {
  type AskState,
  type Both,
  type Downloaded,
  type Flow,
  flowsOf,
  type Language,
  type Media,
  type MediaKind,
  type MessageRef,
  type Saying,
  type State,
  type StepContext,
  type StepResult,
  type Targets,
  type Words,
  type Work,
  type WorkState,
} from "./flow/flow.ts";
export { type Graph, graphOf, mermaidOf, printGraph } from "./flow/graph.ts";
export { amount, reading, text, webAddress } from "./flow/inputs.ts";
export type { Interjection, Written } from "./flow/interjection.ts";
export type { Invoice } from "./flow/invoice.ts";
export type { Formatted, Text } from "./flow/text.ts";
export type { Messenger, Screen, ScreenButton, Shown, Update } from "./messenger.ts";
export type { Till } from "./telegram/aside.ts";
export {
  createTelegramBot,
  type TelegramBot,
  type TelegramBotDeps,
  type TelegramBotSettings,
} from "./telegram/bot.ts";
export { type TelegramApi, type TelegramSettings, telegramApi } from "./telegram/client.ts";
export { createTelegramMessenger } from "./telegram/messenger.ts";
export type {
  CheckoutQuery,
  ReceivedPayment,
  ReturnedPayment,
  SubscriptionChange,
} from "./telegram/money-update.ts";
export { telegramBots } from "./telegram/parts.ts";
export { createTelegramPolling } from "./telegram/polling.ts";
export { readTelegramUpdate, wantedUpdates } from "./telegram/update.ts";
export { telegramWebhooks } from "./telegram/webhook.ts";
