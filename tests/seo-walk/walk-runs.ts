/** Works of a person in any state, as copies of works that were really done. */
import { randomUUID } from "node:crypto";
import { silentLog } from "../../src/kernel/log/index.ts";
import { orderArticle } from "../../src/seo/articles/order-article.ts";
import { orderPlan } from "../../src/seo/articles/order-plan.ts";
import { orderAudit } from "../../src/seo/audits/order-site-works.ts";
import { orderCompetitor } from "../../src/seo/competitors/order-competitor.ts";
import { orderKeywords } from "../../src/seo/keywords/order-keywords.ts";
import { orderUpload } from "../../src/seo/keywords/order-upload.ts";
import { orderCrossPost } from "../../src/seo/posts/order-cross-post.ts";
import { orderPost } from "../../src/seo/posts/order-post.ts";
import type { RunStatus } from "../../src/seo/runs/run-row.ts";
import { orderDescription } from "../../src/seo/texts/order-description.ts";
import { orderReviews } from "../../src/seo/texts/order-reviews.ts";
import type { World } from "./walk-world.ts";

export const works = [
  "article",
  "plan",
  "post",
  "crossPost",
  "pin",
  "description",
  "reviews",
  "keywords",
  "upload",
  "audit",
  "competitor",
] as const;
export type Work = (typeof works)[number];

export interface RunCopy {
  readonly status: RunStatus;
  readonly error?: string;
  readonly stage?: string;
  /** Parts of the order that differ. */
  readonly input?: object;
  /** Parts of the result that differ. */
  readonly result?: object | null;
  readonly isStopped?: boolean;
  /** Tokens held for it. */
  readonly held?: number;
  readonly connectionId?: number;
  readonly round?: number;
}

export type Runs = ReturnType<typeof walkRuns>;

const ended: readonly RunStatus[] = ["done", "failed", "cancelled", "expired"];

export function walkRuns(world: World) {
  const { services, sql, whose, categoryId, projectId, siteId, channelId, vkId, boardId } = world;
  const { kinds } = services;
  const { workspaceId, userId } = whose;
  const templates = new Map<Work, Promise<string>>();

  /** Each as the bot orders it. */
  const orders: Readonly<Record<Work, () => Promise<{ readonly run_id: string }>>> = {
    article: () => orderArticle(services, kinds.article, whose, categoryId, { connectionId: siteId }),
    plan: () => orderPlan(services, kinds.plan, whose, categoryId, { connectionId: siteId }),
    post: () => orderPost(services, kinds.post, whose, categoryId, { connectionId: channelId }),
    pin: () => orderPost(services, kinds.post, whose, categoryId, { connectionId: boardId }),
    crossPost: async () =>
      orderCrossPost(services, kinds.crossPost, whose, await copy("post", { status: "done" }), {
        connectionId: vkId,
      }),
    description: () => orderDescription(services, kinds.description, whose, categoryId),
    reviews: () => orderReviews(services, kinds.reviews, whose, categoryId, 3),
    keywords: () => orderKeywords(services, kinds.keywords, whose, categoryId, wantedKeywords),
    upload: () => orderUpload(services, kinds.upload, whose, categoryId, ["green tea", "white tea"]),
    audit: () => orderAudit(services, kinds, whose, projectId),
    competitor: () => orderCompetitor(services, kinds.competitor, whose, projectId, "https://chay.example"),
  };

  /** Does the work now, in this process. */
  async function perform(runId: string): Promise<void> {
    const job = { workspace_id: workspaceId, run_id: runId };
    const context = { log: silentLog, signal: new AbortController().signal };
    await services.runs.task.perform(job, context);
  }

  /** The work that is copied; done when it is first asked for. */
  function template(work: Work): Promise<string> {
    const known = templates.get(work) ?? done(work);
    templates.set(work, known);
    return known;
  }
  async function done(work: Work): Promise<string> {
    const { run_id } = await orders[work]();
    await perform(run_id);
    return run_id;
  }

  /** The number of a copy in this state. */
  async function copy(work: Work, given: RunCopy): Promise<string> {
    const id = randomUUID();
    const { status, error = "text_failed", stage = null, result, isStopped = false, round = 0 } = given;
    const isOver = ended.includes(status);
    const failure = { code: error, message: { ru: "Не вышло.", en: "It did not work." } };
    await sql`
      insert into seo.runs (workspace_id, id, user_id, kind, status, project_id, category_id, connection_id, input, result, error, stage,
        leased_until, token, cancel_requested_at, created_at, started_at, reviewed_at, ended_at, round)
      select workspace_id, ${id}, user_id, kind, ${status}, project_id, category_id, coalesce(${given.connectionId ?? null}, connection_id),
        input || ${JSON.stringify(given.input ?? {})}::text::jsonb, case when ${result === null} then null else result || ${JSON.stringify(result ?? {})}::text::jsonb end,
        ${status === "failed" ? JSON.stringify(failure) : null}::text::jsonb, ${stage},
        ${status === "running" ? new Date(Date.now() + 3_600_000) : null}, ${status === "running" ? id : null},
        ${isStopped ? new Date() : null}, now() - interval '2 hours', now(), now(), ${isOver ? new Date() : null}, ${round}
      from seo.runs where workspace_id = ${workspaceId} and id = ${await template(work)}`;
    // What is held comes on top: the balance stays as the example wants it.
    if (given.held !== undefined)
      await sql`
        select billing.adjust(${workspaceId}, ${userId}, ${given.held}, 'walk', 'a walk', ${id}, now()),
          billing.hold(${workspaceId}, ${userId}, ${given.held}, ${id}, ${stepOf[work] ?? "text"}, 'text_generation'),
          case when ${status === "failed"} then billing.return_run(${workspaceId}, ${id}, ${error}) end`;
    if (work === "article")
      await sql`
        insert into seo.article_previews (workspace_id, user_id, project_id, category_id, connection_id, telegraph_url, telegraph_path,
          title, keyword, word_count, images_count, tokens_charged, content_html, images, run, status)
        select workspace_id, user_id, project_id, category_id, connection_id, telegraph_url, telegraph_path, title, keyword,
          word_count, images_count, tokens_charged, content_html, images, ${id}, ${previewIn(status)}
        from seo.article_previews where workspace_id = ${workspaceId} and run = ${await template("article")}`;
    return id;
  }

  /** The same work once more: what it did before is known, but for these steps. */
  async function resumed(work: Work, forgotten: readonly string[]): Promise<string> {
    const id = randomUUID();
    const source = await template(work);
    await sql`
      insert into seo.runs (workspace_id, id, user_id, kind, status, project_id, category_id, connection_id, input, created_at)
      select workspace_id, ${id}, user_id, kind, 'queued', project_id, category_id, connection_id, input, now() - interval '2 hours'
      from seo.runs where workspace_id = ${workspaceId} and id = ${source}`;
    await knows(id, source, forgotten);
    return id;
  }

  /** A copy that waits for its person, was written anew so often, and has as many warnings as a screen shows. */
  async function reviewed(work: Work, regenerations: number): Promise<string> {
    const id = await copy(work, { status: "review", result: { regenerations } });
    await sql`
      update seo.runs set result = jsonb_set(result, '{warnings}', ${JSON.stringify(manyWarnings)}::text::jsonb)
      where workspace_id = ${workspaceId} and id = ${id} and result ? 'warnings'`;
    await knows(id, await template(work));
    return id;
  }

  /** A run knows what another one did, but for these steps, and has its tokens held. */
  async function knows(id: string, source: string, forgotten: readonly string[] = []): Promise<void> {
    await sql`
      insert into seo.run_steps (workspace_id, run_id, round, name, status, result, notes, calls, started_at, ended_at)
      select workspace_id, ${id}, round, name, status, result, notes, calls, started_at, ended_at from seo.run_steps
      where workspace_id = ${workspaceId} and run_id = ${source} and status = 'done' and name <> all(${[...forgotten]})`;
    await sql`
      select billing.adjust(${workspaceId}, ${userId}, charged, 'walk', 'a walk', ${id} || step, now()),
        billing.hold(${workspaceId}, ${userId}, charged, ${id}, step, operation)
      from billing.holds where workspace_id = ${workspaceId} and run = ${source}`;
  }

  return { copy, perform, resumed, reviewed, template };
}

const manyWarnings = Array.from({ length: 8 }, (_, at) => ({
  ...{ code: `walk_${at}`, message: { ru: `Совет ${at}.`, en: `Advice ${at}.` } },
}));

const wantedKeywords = { products: "loose tea", geography: "Perm", quantity: 50 } as const;

const previewIn = (status: RunStatus) =>
  status === "done" ? "published" : status === "expired" ? "expired" : "draft";

/** Under which name the tokens of a work are held. */
const stepOf: Partial<Record<Work, string>> = { description: "description", reviews: "reviews" };
