/** The endpoints of the document that QStash calls. Everything behind them also happens by Molva's own clock. */
import { z } from "zod";
import { type RouteModule, type UpstashDeps, upstashRoutes } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type NoticeKind, noticeKinds } from "../broadcasts/broadcasts.ts";
import { oncePerMessage } from "./once-per-message.ts";
import { type PublishJobDeps, publishJob, type SlotPublisher } from "./publish-job.ts";

export interface JobRouteDeps extends UpstashDeps {
  readonly sql: Sql;
  readonly slots: SlotPublisher;
  readonly waits?: PublishJobDeps["waits"];
  cleanUp(): Promise<object>;
  /** Sends notices of a kind to those who have not had theirs. */
  notify(kind: NoticeKind): Promise<object>;
}

const notifyBody = z.object({ type: z.enum(noticeKinds) });

export function jobRoutes(deps: JobRouteDeps): RouteModule {
  return {
    name: "seo.jobs",
    routes(app) {
      const { sql, clock, keyValue, slots, waits } = deps;
      const stopping = new AbortController();
      app.addHook("preClose", async () => stopping.abort());
      const publishing = { sql, clock, keyValue, slots, waits, stopping: stopping.signal };
      upstashRoutes(app, deps, {
        "/api/publish": (call, reply) => publishJob(publishing, call, reply),
        "/api/cleanup": ({ messageId }) =>
          oncePerMessage(keyValue, { job: "cleanup", messageId }, async () => ({
            ...{ again: false, answer: await deps.cleanUp() },
          })),
        "/api/notify": ({ body, messageId }) =>
          oncePerMessage(keyValue, { job: "notify", messageId }, async () => {
            const { data } = notifyBody.safeParse(body);
            return { again: false, answer: data ? await deps.notify(data.type) : { status: "invalid" } };
          }),
      });
    },
  };
}
