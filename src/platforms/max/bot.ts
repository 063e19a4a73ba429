import { z } from "zod";
import type { Compiled } from "../contract.ts";
import { ifReadable, readableItems } from "../if-readable.ts";
import { type CallContext, call, type MaxSettings, type Reply } from "./client.ts";
import { type BotButton, botKeyboard } from "./keyboard.ts";

/** What a bot does in MAX besides sending messages, which go through the platform's `send`. */
export interface MaxBot {
  /** Shows the typing indicator. */
  typing(chatId: string, context: MaxBotContext): Promise<Reply<unknown>>;
  /** Answers a tap on a button. */
  answerPress(callbackId: string, notification: string, context: MaxBotContext): Promise<Reply<unknown>>;
  subscriptions(context: MaxBotContext): Promise<Reply<Subscription[]>>;
  subscribe(wanted: WantedSubscription, context: MaxBotContext): Promise<Reply<unknown>>;
  unsubscribe(url: string, context: MaxBotContext): Promise<Reply<unknown>>;
}

export type MaxBotContext = CallContext;

export interface Subscription {
  readonly url: string;
  readonly update_types?: readonly string[] | null | undefined;
}

export interface WantedSubscription {
  readonly url: string;
  readonly secret: string;
  readonly updateTypes: readonly string[];
}

const done = z.object({ success: z.literal(true) });
const subscriptionsShape = z.object({
  subscriptions: readableItems(z.object({ url: z.string(), update_types: ifReadable(z.array(z.string())) })),
});

export function createMaxBot(settings: MaxSettings): MaxBot {
  const ask = <T>(request: Parameters<typeof call>[0], shape: z.ZodType<T>, context: MaxBotContext) =>
    call(request, shape, { settings, context });
  return {
    typing: (chatId, context) =>
      ask(
        {
          method: "POST",
          path: `/chats/${encodeURIComponent(chatId)}/actions`,
          query: {},
          body: { action: "typing_on" },
        },
        done,
        context,
      ),
    answerPress: (callbackId, notification, context) =>
      ask(
        { method: "POST", path: "/answers", query: { callback_id: callbackId }, body: { notification } },
        done,
        context,
      ),
    async subscriptions(context) {
      const reply = await ask(
        { method: "GET", path: "/subscriptions", query: {} },
        subscriptionsShape,
        context,
      );
      return reply.kind === "ok" ? { kind: "ok", result: reply.result.subscriptions } : reply;
    },
    subscribe: ({ url, secret, updateTypes }, context) =>
      ask(
        {
          method: "POST",
          path: "/subscriptions",
          query: {},
          body: { url, secret, update_types: [...updateTypes] },
        },
        done,
        context,
      ),
    unsubscribe: (url, context) =>
      ask({ method: "DELETE", path: "/subscriptions", query: { url } }, done, context),
  };
}

/** A compiled message with a bot's buttons under its first part. */
export function withBotButtons(compiled: Compiled, rows: readonly (readonly BotButton[])[]): Compiled {
  const [first, ...others] = compiled.requests;
  if (!first || rows.length === 0) return compiled;
  return {
    ...compiled,
    requests: [{ ...first, body: { ...first.body, attachments: botKeyboard(rows) } }, ...others],
  };
}
