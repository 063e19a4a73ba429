import type { ChatView, MessageView } from "../shared/index.ts";
import type { ChatRequest } from "./body.ts";
import type { Brand } from "./brand.ts";
import { type Completion, wordsOf } from "./completion.ts";
import { mediaOf } from "./media.ts";
import type { Model } from "./models.ts";
import type { Exchange, Store } from "./store.ts";

/** A model as a chat: questions and answers. */
export function exchangeOf(
  request: ChatRequest,
  model: Model,
  completion: Completion,
  { id, at }: { id: string; at: number },
): Exchange {
  const last = request.messages.at(-1);
  const { images, sounds } = mediaOf(request.messages);
  const asked = [...images, ...sounds].map((file) => `[${file}]`).concat(last ? wordsOf(last) : "");
  const drawn = completion.pictures.map(({ width, height }) => `[картинка ${width}×${height}]`);
  const said =
    completion.refusal ?? completion.toolCall?.arguments ?? [completion.text, ...drawn].join("\n").trim();
  return {
    model: model.id,
    messages: [
      plain(`${id}-q`, at, { name: "Molva", bot: false, mine: false }, asked.join("\n")),
      plain(`${id}-a`, at, { name: model.name, bot: true, mine: false }, said),
    ],
  };
}

export function chatViews(brand: Brand, store: Store): ChatView[] {
  return brand.models.flatMap((model) => {
    const messages = messagesOf(store, model.id);
    const last = messages.at(-1);
    if (!last) return [];
    return [
      {
        provider: brand.name,
        id: model.id,
        title: model.name,
        kind: "dialog" as const,
        writable: false,
        last: { text: last.text, at: last.at },
        count: messages.length,
      },
    ];
  });
}

export function messagesOf(store: Store, model: string): MessageView[] {
  return store.exchanges().flatMap((exchange) => (exchange.model === model ? exchange.messages : []));
}

function plain(id: string, at: number, author: MessageView["author"], text: string): MessageView {
  return {
    ...{ id, at, author, text, marks: [], media: [], buttons: [] },
    ...{ edited: false, silent: false, protected: false },
  };
}
