import { z } from "zod";
import type { App } from "../../http/index.ts";
import { idOf } from "../../workspaces/index.ts";
import { orderedSchema } from "../keywords/order-keywords.ts";
import { requestKey } from "../orders/request-key.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import {
  articleOf,
  cancelArticle,
  type DecideDeps,
  publishArticle,
  regenerateArticle,
  takeArticle,
} from "../publish/decide-article.ts";
import { runColumn, runDetailSchema } from "../runs/read-runs.ts";
import type { ArticleDeps } from "./article-deps.ts";
import type { ArticleRun } from "./article-run.ts";
import { type OrderArticleDeps, orderArticle } from "./order-article.ts";
import { orderPlan } from "./order-plan.ts";
import type { PlanRun } from "./plan-run.ts";

export interface ArticleRouteDeps extends OrderArticleDeps, Pick<DecideDeps, "runs" | "cleanUp"> {
  readonly kinds: { readonly article: ArticleRun; readonly plan: PlanRun };
  readonly articles: ArticleDeps;
}

const phrase = z
  .string()
  .min(1)
  .max(500)
  .describe("A main phrase of the category; the next one in turn unless given");
const connection_id = z.int().min(1).describe("A WordPress site of the project");

export function articleRoutes(app: App, deps: ArticleRouteDeps): void {
  const routes = personRoutes(app, deps);
  const deciding: DecideDeps = { ...deps.articles, runs: deps.runs, cleanUp: deps.cleanUp };
  const params = z.object({ ...person, run_id: idOf(runColumn) });

  routes.post(
    "/categories/:category_id/articles",
    {
      scope: "write",
      summary: "Write an article about the category's next phrase, for tokens",
      params: z.object({ ...person, category_id: idText }),
      body: z.strictObject({
        connection_id: connection_id.optional(),
        plan: z.string().max(40).optional().describe("The run of a plan of this category, to write from"),
        phrase: phrase.optional(),
        update: z
          .string()
          .max(2_000)
          .optional()
          .describe("The address of a page of the site: the article takes its place"),
        anyway: z.boolean().optional().describe("Also if a page of the site serves the phrase"),
        request_key: requestKey,
      }),
      answer: orderedSchema,
      status: 202,
    },
    ({ params, body, ...asked }) =>
      orderArticle(deps, deps.kinds.article, whoseOf({ ...asked, params }), params.category_id, {
        ...{ connectionId: body.connection_id, requestKey: body.request_key, plan: body.plan },
        ...{ phrase: body.phrase, update: body.update, anyway: body.anyway },
      }),
  );
  routes.post(
    "/categories/:category_id/article-plans",
    {
      scope: "write",
      summary:
        "Plan an article for nothing: readers' questions, gaps, sources, own facts, tokens; the run's result has it",
      params: z.object({ ...person, category_id: idText }),
      body: z.strictObject({
        connection_id: connection_id.optional(),
        phrase: phrase.optional(),
        answer: z
          .string()
          .max(4_000)
          .optional()
          .describe("The owner's answer to the last plan's question: at most 8 sentences; 3 are kept"),
        forget_answers: z.boolean().optional().describe("Earlier answers are not used any more"),
        request_key: requestKey,
      }),
      answer: orderedSchema,
      status: 202,
    },
    ({ params, body, ...asked }) =>
      orderPlan(deps, deps.kinds.plan, whoseOf({ ...asked, params }), params.category_id, {
        ...{ connectionId: body.connection_id, requestKey: body.request_key },
        ...{ phrase: body.phrase, answer: body.answer, forgetAnswers: body.forget_answers },
      }),
  );
  routes.get(
    "/articles/:run_id",
    {
      scope: "read",
      summary: "An article: its text, score, claims with their sources, warnings, and how it was made",
      params,
      answer: runDetailSchema,
    },
    async (asked) => articleOf(deps.sql, await readFor(deps, asked, "article"), asked.params.run_id),
  );
  routes.post(
    "/articles/:run_id/publish",
    {
      scope: "operate",
      summary: "Publish a reviewed article; its run ends with the delivery",
      params,
      body: z.strictObject({ connection_id: connection_id.optional() }),
      answer: z.object({ run_id: z.string(), connection_id: z.int() }),
      status: 202,
    },
    async ({ params, body, ...asked }) => ({
      run_id: params.run_id,
      connection_id: await publishArticle(
        deciding,
        whoseOf({ ...asked, params }),
        params.run_id,
        body.connection_id,
      ),
    }),
  );
  routes.post(
    "/articles/:run_id/regenerate",
    {
      scope: "write",
      summary: "Write a reviewed article anew: twice for nothing, then for its price",
      params,
      answer: z.object({ run_id: z.string(), tokens: z.int().describe("Held for it") }),
      status: 202,
    },
    async (asked) => ({
      run_id: asked.params.run_id,
      tokens: await regenerateArticle(deciding, whoseOf(asked), asked.params.run_id),
    }),
  );
  routes.post(
    "/articles/:run_id/cancel",
    {
      scope: "write",
      summary: "Cancel an article that is being written or reviewed; its tokens are returned",
      params,
      answer: z.object({ run_id: z.string(), ended: z.enum(["cancelled", "stopping"]) }),
    },
    async (asked) => ({
      run_id: asked.params.run_id,
      ended: await cancelArticle(deciding, whoseOf(asked), asked.params.run_id),
    }),
  );
  routes.post(
    "/articles/:run_id/take",
    {
      scope: "write",
      summary: "Take the HTML of a reviewed article instead of publishing it; its tokens are spent",
      params,
      answer: z.object({ run_id: z.string(), html: z.string() }),
    },
    async (asked) => ({
      run_id: asked.params.run_id,
      html: await takeArticle(deciding, whoseOf(asked), asked.params.run_id),
    }),
  );
}
