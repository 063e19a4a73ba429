/** Broadcasts over HTTP: who would get it, sending, progress, stop and report. */
import { z } from "zod";
import type { App } from "../../http/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { inOneChange, noteChange, reason, workspaceRoutes } from "../../workspaces/index.ts";
import {
  audiences,
  beginBroadcast,
  broadcastBy,
  broadcastPage,
  broadcastShape,
  countAudience,
  noticeKinds,
  readBroadcast,
  stopBroadcast,
} from "../broadcasts/broadcasts.ts";
import { requestKey } from "../orders/request-key.ts";
import { idText } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import { type OfficeDeps, place } from "./routes.ts";

const params = z.object({ broadcast_id: idText });
/** Telegram's own limit. */
const text = z.string().trim().min(1).max(4_096).describe("As people get it: plain text");
const countsSchema = z
  .object({ all: z.int(), active_7d: z.int(), active_30d: z.int(), paid: z.int() })
  .meta({ id: "SeoAudiences" });

export function broadcastRoutes(app: App, { sql, clock, office }: OfficeDeps): void {
  const routes = workspaceRoutes(app, sql, place);
  const read = async (workspaceId: string, id: number) => {
    const broadcast = await readBroadcast(sql, workspaceId, id);
    if (!broadcast) throw notFound("broadcast", id);
    return broadcast;
  };

  routes.get(
    "/audiences",
    {
      scope: "read",
      summary:
        "How many people would get a broadcast now, by audience; without those who switched news off or blocked the bot",
      answer: countsSchema,
    },
    async ({ workspaceId }) => {
      const counts = { all: 0, active_7d: 0, active_30d: 0, paid: 0 };
      for (const each of audiences) counts[each] = await countAudience(sql, workspaceId, each, clock.now());
      return counts;
    },
  );
  routes.list(
    "/broadcasts",
    {
      scope: "read",
      summary: "Broadcasts and automatic notices with their figures, the newest first",
      query: { kind: z.enum(["news", ...noticeKinds]).optional() },
      item: broadcastShape,
    },
    ({ workspaceId, query, page }) => broadcastPage(sql, workspaceId, { ...query, ...page }),
  );
  routes.post(
    "/broadcasts",
    {
      scope: "admin",
      summary: "Send news to an audience, twenty messages a second; nobody gets it twice",
      body: z.strictObject({
        audience: z.enum(audiences),
        text,
        preview: z.boolean().optional().describe("true: send nothing, say to how many it would go"),
        request_key: requestKey,
        reason: reason.optional(),
      }),
      answer: z
        .object({ recipients: z.int(), text: z.string(), broadcast: broadcastShape.nullable() })
        .meta({ id: "SeoBroadcastBegun" }),
    },
    async ({ workspaceId, body: { audience, text: news, preview = false, request_key: key }, by }) => {
      const now = clock.now();
      if (preview)
        return {
          recipients: await countAudience(sql, workspaceId, audience, now),
          text: news,
          broadcast: null,
        };
      const wanted = { workspaceId, byUser: null, audience, text: news, requestKey: key };
      const before = async (tx: Transaction) => key && (await broadcastBy(tx, workspaceId, key));
      const id = await inOneChange(sql, async (tx) => {
        const known = await before(tx);
        if (known) return known;
        const begun = await beginBroadcast(tx, office.broadcasts, wanted, now);
        // The same request may have come twice at once.
        const other = begun ?? (await before(tx));
        if (begun === undefined && other) return other;
        if (begun === undefined)
          throw new SeoProblem("broadcast_under_way", {
            ru: "Другая рассылка ещё идёт. Дождитесь её или остановите.",
            en: "Another broadcast is being sent. Wait for it, or stop it.",
          });
        await noteChange(tx, {
          workspaceId,
          now,
          by,
          meta: { object: "seo_broadcast", broadcast_id: begun, audience },
        });
        return begun;
      });
      const broadcast = await read(workspaceId, id);
      return { recipients: broadcast.recipients, text: news, broadcast };
    },
  );
  routes.get(
    "/broadcasts/:broadcast_id",
    { scope: "read", summary: "How far a broadcast is, or its report", params, answer: broadcastShape },
    ({ workspaceId, params: { broadcast_id } }) => read(workspaceId, broadcast_id),
  );
  routes.post(
    "/broadcasts/:broadcast_id/stop",
    {
      scope: "admin",
      summary: "Stop a broadcast; what is on its way still comes, and one that has ended stays as it is",
      params,
      body: z.strictObject({ reason: reason.optional() }),
      answer: broadcastShape,
    },
    async ({ workspaceId, params: { broadcast_id: id }, by }) => {
      const now = clock.now();
      await read(workspaceId, id);
      await inOneChange(sql, async (tx) => {
        if (await stopBroadcast(tx, workspaceId, id, now))
          await noteChange(tx, {
            workspaceId,
            now,
            by,
            meta: { object: "seo_broadcast", broadcast_id: id, stopped: true },
          });
      });
      return read(workspaceId, id);
    },
  );
}
