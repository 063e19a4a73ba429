/** `POST /api/v1/bots/telegram/{bot}`: stored and answered at once; the engine works after the commit. */
import { z } from "zod";
import { type ProblemTable, problemsOf, type RouteModule } from "../../http/index.ts";
import { sameSecret } from "../../kernel/crypto/index.ts";
import type { Update } from "../messenger.ts";
import { readTelegramUpdate } from "./update.ts";

export interface WebhookBot {
  readonly bot: string;
  /** As it was given to setWebhook; blank never matches. */
  readonly secret: string;
  receive(updates: readonly Update[]): Promise<void>;
}

/** An update holds one message; Telegram's longest is far below. */
const bodyLimit = 1_000_000;

const webhookProblems = {
  webhook_secret_refused: {
    status: 403,
    title: "The webhook's secret is missing or wrong",
    meaning:
      "Telegram sends in `X-Telegram-Bot-Api-Secret-Token` what setWebhook was given; this is something else.",
  },
} as const satisfies ProblemTable;
const webhookProblem = problemsOf(webhookProblems);

export function telegramWebhooks(bots: readonly WebhookBot[]): RouteModule {
  return {
    name: "telegram bots",
    problems: webhookProblems,
    routes(app) {
      for (const { bot, secret, receive } of bots)
        app.route({
          method: "POST",
          url: `/api/v1/bots/telegram/${bot}`,
          config: { scope: "public" },
          bodyLimit,
          schema: {
            tags: ["bot"],
            summary: `Take an update of Telegram for ${bot}`,
            body: z.looseObject({ update_id: z.number().int() }),
            response: { 200: z.object({ ok: z.literal(true) }) },
          },
          async onRequest(request) {
            const given = request.headers["x-telegram-bot-api-secret-token"];
            if (secret === "" || typeof given !== "string" || !sameSecret(given, secret))
              throw webhookProblem("webhook_secret_refused");
          },
          async handler(request) {
            const update = readTelegramUpdate(request.body);
            // What does not concern a conversation is taken too, or Telegram would bring it again and again.
            if (update) await receive([update]);
            return { ok: true as const };
          },
        });
    },
  };
}
