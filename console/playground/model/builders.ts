/** Views for tests: a test names only what matters to it. */
import type { ChatView, MessageView } from "../types.ts";

export function aMessage(given: Partial<MessageView> & Pick<MessageView, "id">): MessageView {
  return {
    at: 0,
    author: { name: "Бот", bot: true, mine: false },
    text: "",
    marks: [],
    media: [],
    buttons: [],
    edited: false,
    silent: false,
    protected: false,
    ...given,
  };
}

export function aChat(given: Partial<ChatView> = {}): ChatView {
  return {
    provider: "telegram",
    id: "-1",
    title: "Канал",
    kind: "channel",
    writable: false,
    count: 0,
    ...given,
  };
}
