import type { Method } from "../call.ts";
import { answerCallbackQuery } from "./answer-callback-query.ts";
import { getFile, getMe, getMyCommands, setMyCommands } from "./bot.ts";
import {
  getChat,
  getChatAdministrators,
  getChatMember,
  leaveChat,
  pinChatMessage,
  sendChatAction,
} from "./chat.ts";
import { copyMessage, forwardMessage } from "./copy.ts";
import { deleteMessage, deleteMessages } from "./delete.ts";
import { editMessageCaption, editMessageMedia, editMessageReplyMarkup, editMessageText } from "./edit.ts";
import { sendMedia } from "./send-media.ts";
import { sendMediaGroup } from "./send-media-group.ts";
import { sendMessage } from "./send-message.ts";
import { sendMessageDraft } from "./send-message-draft.ts";
import {
  answerPreCheckoutQuery,
  createInvoiceLink,
  editUserStarSubscription,
  getStarTransactions,
  refundStarPayment,
  sendInvoice,
} from "./stars.ts";
import { deleteWebhook, getUpdates, getWebhookInfo, setWebhook } from "./updates.ts";

/** Every method that the twin supports. */
const methods: Readonly<Record<string, Method>> = {
  getMe,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  sendMessage,
  sendMessageDraft,
  sendPhoto: sendMedia("photo"),
  sendVideo: sendMedia("video"),
  sendAnimation: sendMedia("animation"),
  sendAudio: sendMedia("audio"),
  sendDocument: sendMedia("document"),
  sendVoice: sendMedia("voice"),
  sendMediaGroup,
  copyMessage,
  forwardMessage,
  editMessageText,
  editMessageCaption,
  editMessageMedia,
  editMessageReplyMarkup,
  deleteMessage,
  deleteMessages,
  sendChatAction,
  answerCallbackQuery,
  getChat,
  getChatMember,
  getChatAdministrators,
  pinChatMessage,
  leaveChat,
  getFile,
  setMyCommands,
  getMyCommands,
  sendInvoice,
  createInvoiceLink,
  answerPreCheckoutQuery,
  refundStarPayment,
  editUserStarSubscription,
  getStarTransactions,
};

/** Names ignore case; the documented spelling is shown. */
const byName = new Map(Object.entries(methods).map(([name, run]) => [name.toLowerCase(), { name, run }]));

export function findMethod(name: string): { readonly name: string; readonly run: Method } | undefined {
  return byName.get(name.toLowerCase());
}

export { uidInPath } from "./bot.ts";
