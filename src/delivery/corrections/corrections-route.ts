import { z } from "zod";
import { type App, problem, type RouteModule } from "../../http/index.ts";
import { dryRun, idOf, reason, workspaceRoutes } from "../../workspaces/index.ts";
import { wordsOf } from "../deliveries/request.ts";
import type { Leases } from "../deliveries/why.ts";
import { idColumns } from "../id-columns.ts";
import { payload } from "../ingest/body.ts";
import { changedPost } from "./changed-post.ts";
import { type CorrectDeps, type Corrected, correct, correctedSchema, withdraw } from "./correct.ts";
import { correctionSchema, correctionStatuses, listCorrections } from "./correction.ts";
import type { Scope } from "./targets.ts";

export interface CorrectionsDeps extends CorrectDeps {
  readonly leases?: Leases | undefined;
}

/** What can be corrected, and how its id becomes a scope. */
const places = [
  {
    under: "/api/v1/messages",
    tag: "messages",
    what: "post",
    of: "in all its channels",
    id: idOf(idColumns.message),
    scope: (id: string): Scope => ({ message_id: id }),
  },
  {
    under: "/api/v1/deliveries",
    tag: "deliveries",
    what: "delivery",
    of: "in its channel",
    id: idOf(idColumns.delivery),
    scope: (id: string): Scope => ({ delivery_ids: [id] }),
  },
] as const;

const correctBody = z
  .strictObject({
    payload: payload
      .optional()
      .describe("The whole post as it is to read, as `POST /api/v1/ingest` takes it"),
    changes: payload
      .optional()
      .describe(
        "Instead: only what is to read otherwise; the rest stays as the last correction of the post left it",
      ),
    reason,
    dry_run: dryRun,
  })
  .refine(({ payload, changes }) => (payload === undefined) !== (changes === undefined), {
    message: "Give either `payload` or `changes`",
    path: ["payload"],
  });

/** `POST …/{id}/correct` and `…/withdraw` for a post or one delivery, and the lists that show their progress. */
export function correctionsRoutes(deps: CorrectionsDeps): RouteModule {
  return {
    name: "corrections",
    routes(app) {
      for (const place of places) correctionRoutes(app, deps, place);
      listRoute(app, deps);
    },
  };
}

function correctionRoutes(app: App, deps: CorrectionsDeps, place: (typeof places)[number]): void {
  const { sql, clock } = deps;
  const { under, tag, what, of, scope } = place;
  const routes = workspaceRoutes(app, sql, { under, tag });
  const params = z.object({ id: place.id });
  const existing = async (workspaceId: string, id: string) => {
    const column = idColumns[what === "post" ? "message" : "delivery"];
    const [row] = await sql`
      select from ${sql(column.table)} where workspace_id = ${workspaceId} and ${sql(column.column)} = ${id}`;
    if (!row) throw problem("not_found", { detail: `There is no such ${column.what}.` });
  };

  routes.post(
    "/:id/correct",
    {
      scope: "operate",
      summary: `Make a ${what} that was sent read otherwise, ${of}`,
      description:
        "What waits goes out in the new words. `dry_run` lists channel by channel what will happen.",
      params,
      body: correctBody,
      answer: correctedSchema,
    },
    async ({ workspaceId, params: { id }, body, by, dryRun }): Promise<Corrected> => {
      await existing(workspaceId, id);
      const post = body.payload ?? (await changedPost(sql, workspaceId, scope(id), body.changes ?? {}));
      return correct(deps, workspaceId, scope(id), post, { ...by, now: clock.now(), dryRun });
    },
  );
  routes.post(
    "/:id/withdraw",
    {
      scope: "operate",
      summary: `Take a ${what} back, ${of}`,
      description: "What waits is called off. `dry_run` lists channel by channel what will happen.",
      params,
      body: z.strictObject({ reason, dry_run: dryRun }),
      answer: correctedSchema,
    },
    async ({ workspaceId, params: { id }, by, dryRun }): Promise<Corrected> => {
      await existing(workspaceId, id);
      return withdraw(deps, workspaceId, scope(id), { ...by, now: clock.now(), dryRun });
    },
  );
}

function listRoute(app: App, { sql, clock, leases }: CorrectionsDeps): void {
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/corrections", tag: "corrections" });
  routes.list(
    "",
    {
      scope: "read",
      quiet: true,
      summary: "What was done to posts after they were sent, newest first, and why something is not done yet",
      query: {
        message_id: idOf(idColumns.message).optional(),
        delivery_id: idOf(idColumns.delivery).optional(),
        status: wordsOf(correctionStatuses).optional().describe("One or several, separated by commas"),
      },
      item: correctionSchema,
    },
    ({ workspaceId, query, page }) =>
      listCorrections(sql, workspaceId, { ...query, ...page }, clock.now(), leases),
  );
}
