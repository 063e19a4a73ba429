/**
 * `POST /api/v1/bots/telegram/{bot}/{workspace}`: stores the update and answers at once; the engine works after the
 * commit.
 */
import { z } from "zod";
import { type ProblemTable, problemsOf, type RouteModule } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import { isPublished, sameSecret } from "../../kernel/crypto/index.ts";
import type { BotKey } from "../engine/dialogue.ts";
import { receive } from "../engine/inbox.ts";
import { secretOf } from "./subscription.ts";
import { type TokenDeps, tokenOf } from "./token.ts";
import { readTelegramUpdate } from "./update.ts";

export interface WebhookDeps extends TokenDeps {
  readonly clock: Clock;
}

/** An update contains one message; Telegram's longest is far below this. */
export const bodyLimit = 1_000_000;

const webhookProblems = {
  webhook_secret_refused: {
    status: 403,
    title: "The webhook's secret is missing or wrong",
    meaning:
      "Telegram sends in `X-Telegram-Bot-Api-Secret-Token` what setWebhook was given; this is something else.",
  },
} as const satisfies ProblemTable;
const webhookProblem = problemsOf(webhookProblems);

const params = z.object({ workspace_id: z.uuid() });

export function webhookPath({ workspaceId, bot }: BotKey): string {
  return `/api/v1/bots/telegram/${bot}/${workspaceId}`;
}

/** A bot that receives webhooks. */
export interface Hearing {
  readonly bot: string;
  /** Receives every update before the dialog does. */
  aside?(workspaceId: string, raws: readonly unknown[]): Promise<void>;
}

export function telegramWebhooks(bots: readonly Hearing[], deps: WebhookDeps): RouteModule {
  return {
    name: "telegram bots",
    problems: webhookProblems,
    routes(app) {
      for (const { bot, aside } of bots)
        app.route({
          method: "POST",
          url: webhookPath({ bot, workspaceId: ":workspace_id" }),
          config: { scope: "public" },
          bodyLimit,
          schema: {
            tags: ["bot"],
            summary: `Take an update of Telegram for ${bot}`,
            params,
            body: z.looseObject({ update_id: z.number().int() }),
            response: { 200: z.object({ ok: z.literal(true) }) },
          },
          // Checked before the body is read, so that strangers cannot send data.
          async onRequest(request) {
            const given = request.headers["x-telegram-bot-api-secret-token"];
            const named = params.safeParse(request.params);
            const key = named.success && { bot, workspaceId: named.data.workspace_id };
            const token = key && (await tokenOf(key, deps));
            // Anybody can compute the webhook's secret from a published token. (The demo polls.)
            if (
              !token ||
              isPublished(token) ||
              typeof given !== "string" ||
              !sameSecret(given, secretOf(token, key))
            )
              throw webhookProblem("webhook_secret_refused");
          },
          async handler(request) {
            // On failure Telegram sends it again: a payment is recorded before the update is confirmed.
            await aside?.(request.params.workspace_id, [request.body]);
            const update = readTelegramUpdate(request.body);
            const key = { bot, workspaceId: request.params.workspace_id };
            // Other updates are accepted too, or Telegram would send them again and again.
            if (update) await receive([update], { ...deps, key });
            return { ok: true as const };
          },
        });
    },
  };
}
