/**
 * `POST /webhook` and the like: an address without a workspace, for the bot whose token the installation was given. Stores the
 * update and answers at once, like the webhooks of workspaces.
 */
import { z } from "zod";
import { type ProblemTable, problemsOf, type RouteModule } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import { sameSecret } from "../../kernel/crypto/index.ts";
import { workspacesWithCredential } from "../../workspaces/index.ts";
import { receive } from "../engine/inbox.ts";
import type { OwnWebhook } from "./bot.ts";
import { type TokenDeps, tokenOf } from "./token.ts";
import { readTelegramUpdate } from "./update.ts";
import { bodyLimit, type Hearing } from "./webhook.ts";

export interface OwnWebhookDeps extends TokenDeps {
  readonly clock: Clock;
}

const problems = {
  bot_secret_refused: {
    status: 401,
    title: "The webhook's secret is missing or wrong",
    meaning:
      "Telegram sends in `X-Telegram-Bot-Api-Secret-Token` what setWebhook was given; this is something else, or the server has no secret.",
  },
  bot_secret_tried_too_often: {
    status: 429,
    title: "Too many requests with a wrong secret",
    meaning:
      "More than 100 requests without the right secret came in a minute; `Retry-After` says how long to wait.",
  },
} as const satisfies ProblemTable;
const problem = problemsOf(problems);

/** Guesses in a minute, of everybody together: Telegram's requests have the secret and are not counted. */
const guesses = { most: 100, perMs: 60_000 } as const;

/** Without `own` nobody has the secret, and everybody is refused. */
export function ownWebhookRoutes(
  path: string,
  { bot, aside }: Hearing,
  own: OwnWebhook | undefined,
  deps: OwnWebhookDeps,
): RouteModule {
  let wrong = { since: 0, count: 0 };

  function refuse(): never {
    const now = performance.now();
    if (wrong.count === 0 || now - wrong.since >= guesses.perMs) wrong = { since: now, count: 0 };
    wrong.count += 1;
    if (wrong.count <= guesses.most) throw problem("bot_secret_refused");
    const seconds = Math.ceil((wrong.since + guesses.perMs - now) / 1_000);
    throw problem("bot_secret_tried_too_often", { headers: { "retry-after": String(seconds) } });
  }

  /** The workspace whose bot has this token. */
  async function workspaceOf({ token }: OwnWebhook): Promise<string | undefined> {
    for (const workspaceId of await workspacesWithCredential(deps.sql, {
      platform: "telegram",
      auth_ref: bot,
    }))
      if ((await tokenOf({ workspaceId, bot }, deps)) === token) return workspaceId;
    return undefined;
  }

  return {
    name: `webhook of ${bot}`,
    problems,
    routes(app) {
      app.route({
        method: "POST",
        url: path,
        config: { scope: "public" },
        bodyLimit,
        schema: {
          tags: ["bot"],
          summary: `Take an update of Telegram for ${bot}`,
          body: z.looseObject({ update_id: z.number().int() }),
          response: { 200: z.object({ ok: z.literal(true) }) },
        },
        // Checked before the body is read, so that strangers cannot send data.
        async onRequest(request) {
          const given = request.headers["x-telegram-bot-api-secret-token"];
          if (!own || typeof given !== "string" || given === "" || !sameSecret(given, own.secret)) refuse();
        },
        async handler(request) {
          const workspaceId = own && (await workspaceOf(own));
          if (workspaceId === undefined) return refuse();
          // On failure Telegram sends it again: a payment is recorded before the update is confirmed.
          await aside?.(workspaceId, [request.body]);
          const update = readTelegramUpdate(request.body);
          if (update) await receive([update], { ...deps, key: { bot, workspaceId } });
          return { ok: true as const };
        },
      });
    },
  };
}
