import type { Deps } from "./call.ts";
import type { Chat, Message } from "./model.ts";
import { chatView, messageView } from "./view.ts";

/** Puts messages into a chat and shows them on the page. */
export function post(chat: Chat, messages: readonly Message[], { store, context }: Deps): void {
  for (const message of messages) {
    store.addMessage(chat, message);
    context.bus.publish({
      type: "message",
      provider: "telegram-account",
      chatId: String(chat.id),
      message: messageView(message, store),
    });
  }
  context.bus.publish({ type: "chat", provider: "telegram-account", chat: chatView(chat, store) });
}
