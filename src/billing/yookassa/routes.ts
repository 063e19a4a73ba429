import { z } from "zod";
import { type App, type RouteModule, type UpstashDeps, upstashRoutes } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { billingProblem } from "../problems.ts";
import { noteTrouble, provider } from "./deps.ts";
import { allowList } from "./networks.ts";
import { readNotification } from "./notification.ts";
import type { CardParts } from "./parts.ts";
import { renew } from "./renew.ts";
import { takeNotification } from "./take-notification.ts";

export interface CardRouteDeps extends UpstashDeps {
  /** Undefined if no shop is set up. */
  readonly cards: CardParts | undefined;
  readonly sql: Sql;
}

/** The paths of the specification: YooKassa's notifications, and QStash's reminders. */
export function cardRoutes(deps: CardRouteDeps): RouteModule {
  return {
    name: "billing.yookassa",
    routes(app) {
      webhookRoute(app, deps);
      renewRoute(app, deps);
    },
  };
}

/** HTTP 200 confirms a notification; anything else makes YooKassa repeat it for a day. */
function webhookRoute(app: App, { cards }: CardRouteDeps): void {
  const isAllowed = allowList(cards?.networks ?? []);
  app.post("/api/yookassa/webhook", { schema: { hide: true } }, async (request) => {
    if (!cards) throw notSetUp();
    if (!isAllowed(request.ip)) {
      const message = `A notification of YooKassa's came from ${request.ip}, which is none of its networks`;
      await noteTrouble(cards.deps, "wrong_network", message);
      throw billingProblem("notification_refused", { detail: `${request.ip} may not tell of payments.` });
    }
    const notification = readNotification(request.body);
    if (!notification)
      throw billingProblem("notification_invalid", { detail: "This is not a notification of YooKassa's." });
    return { status: await takeNotification(cards.deps, notification) };
  });
}

const renewBody = z.object({
  user_id: z.int().positive(),
  payment_method_id: z
    .string()
    .regex(/^[\w-]+$/)
    .max(255),
  package: z.string().max(50).optional(),
});
/** A reminder that comes earlier than this before the end of a period charges nothing. */
const earliestMs = 3_600_000;

/** QStash repeats everything but 2xx, so a renewal that is impossible is answered with 200 and the reason. */
function renewRoute(app: App, deps: CardRouteDeps): void {
  const { cards, sql, clock } = deps;
  upstashRoutes(app, deps, {
    "/api/yookassa/renew": async ({ body }) => {
      if (!cards) throw notSetUp();
      const read = renewBody.safeParse(body);
      if (!read.success) return { status: "invalid" };
      const due = await subscriptionBy(sql, read.data);
      if (!due) return { status: "unknown" };
      if (due.period_end.getTime() - clock.now().getTime() > earliestMs) return { status: "not_due" };
      return { status: await renew(cards.deps, due) };
    },
  });
}

interface Due {
  readonly workspaceId: string;
  readonly subscriptionId: number;
  readonly period_end: Date;
}

async function subscriptionBy(
  sql: Sql,
  { user_id, payment_method_id, package: name }: z.infer<typeof renewBody>,
): Promise<Due | undefined> {
  const [row] = await sql<Due[]>`
    select s.workspace_id as "workspaceId", s.id as "subscriptionId", s.period_end
    from billing.subscriptions s join billing.sales a on a.workspace_id = s.workspace_id and a.id = s.sale_id
    where s.provider = ${provider} and s.method_id = ${payment_method_id} and s.user_id = ${user_id}
      ${name === undefined ? sql`` : sql`and a.package_name = ${name}`}
    order by (s.status = 'active') desc, s.id desc limit 1`;
  return row;
}

const notSetUp = () => billingProblem("cards_not_set_up", { detail: "YOOKASSA_SHOP_ID is not set here." });
