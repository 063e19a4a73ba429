/** Dialogs: flows as data, and the engine that leads people through them in any messenger. */
export type { Meet } from "./engine/deps.ts";
export { createDialogs, type Dialogs, type DialogsSettings } from "./engine/dialogs.ts";
export type { BotKey } from "./engine/dialogue.ts";
export { type Notice, type NoticeKeys, notify, type Wake, wake } from "./engine/notify.ts";
export type { Pace } from "./engine/pace.ts";
export { FlowError, registerFlows } from "./flow/check.ts";
export {
  type AskState,
  type Both,
  type Button,
  type Downloaded,
  type Ended,
  type Flow,
  flowsOf,
  type Keeping,
  type Kept,
  type Language,
  type Leaving,
  type Media,
  type MediaInput,
  type MediaKind,
  type MessageRef,
  type Outcome,
  type Preparation,
  type Reaction,
  type ReceivedMedia,
  type Saying,
  type State,
  type StepContext,
  type StepResult,
  type Style,
  type Target,
  type Targets,
  type Visit,
  type WaitState,
  type Words,
  type Work,
  type WorkState,
} from "./flow/flow.ts";
export {
  type Graph,
  graphOf,
  mermaidOf,
  mermaidOfScreens,
  printGraph,
  printScreens,
} from "./flow/graph.ts";
export { amount, reading, text, webAddress } from "./flow/inputs.ts";
export type { Interjection, Written } from "./flow/interjection.ts";
export type { Invoice } from "./flow/invoice.ts";
export type { BotKeyboard, KeyboardLabel } from "./flow/keyboard.ts";
export type { Attachment, Document, Photo, Picture, Source } from "./flow/outgoing.ts";
export { grid, itemsPerPage, type Page, pageOf, pager, pagerItems } from "./flow/pages.ts";
export {
  type Acted,
  flowAddress,
  type Guest,
  type ParamsOf,
  type Route,
  type ScreenKey,
  screensOf,
  type View,
} from "./flow/screens.ts";
export type { Formatted, Text } from "./flow/text.ts";
export type {
  Messenger,
  Outgoing,
  OutgoingFile,
  ReplyKeyboard,
  Screen,
  ScreenButton,
  Shown,
  Update,
} from "./messenger.ts";
export type { Till } from "./telegram/aside.ts";
export {
  createTelegramBot,
  type OwnWebhook,
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
export { ownWebhookRoutes } from "./telegram/own-webhook.ts";
export { botApi, telegramBots } from "./telegram/parts.ts";
export { createTelegramPolling } from "./telegram/polling.ts";
export { readTelegramUpdate, wantedUpdates } from "./telegram/update.ts";
export { telegramWebhooks } from "./telegram/webhook.ts";
export type { EngineTexts, OwnTexts } from "./texts/index.ts";
