import { z } from "zod";
import type { App } from "../../http/index.ts";
import { idOf } from "../../workspaces/index.ts";
import type { ArticleDeps } from "../articles/article-deps.ts";
import { orderedSchema } from "../keywords/order-keywords.ts";
import { requestKey } from "../orders/request-key.ts";
import { person, personRoutes, readFor, whoseOf } from "../people/person-routes.ts";
import { idText } from "../people/whose.ts";
import { runColumn } from "../runs/read-runs.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import type { CrossPostRun } from "./cross-post-run.ts";
import { runOfPublication } from "./cross-post-source.ts";
import { cancelPost, type DecidePostDeps, postOf, publishPost, regeneratePost } from "./decide-post.ts";
import { orderCrossPost } from "./order-cross-post.ts";
import { orderPost } from "./order-post.ts";
import type { PostRun } from "./post-run.ts";
import { postDetailSchema } from "./shape.ts";

export interface PostRouteDeps extends OrderDeps, Pick<DecidePostDeps, "runs" | "cleanUp"> {
  readonly kinds: { readonly post: PostRun; readonly crossPost: CrossPostRun };
  readonly articles: ArticleDeps;
}

const connection = {
  connection_id: z
    .int()
    .min(1)
    .describe("A Telegram channel, a VK community or a Pinterest board of the project"),
};

export function postRoutes(app: App, deps: PostRouteDeps): void {
  const routes = personRoutes(app, deps);
  const deciding: DecidePostDeps = { ...deps.articles, runs: deps.runs, cleanUp: deps.cleanUp };
  const params = z.object({ ...person, run_id: idOf(runColumn) });
  const body = z.strictObject({ ...connection, request_key: requestKey });
  const wanted = ({ connection_id: connectionId, request_key }: z.infer<typeof body>) => ({
    ...{ connectionId, requestKey: request_key },
  });

  routes.post(
    "/categories/:category_id/posts",
    {
      scope: "write",
      summary: "Write a post about the category's next phrase for a connection, for tokens",
      params: z.object({ ...person, category_id: idText }),
      ...{ body, answer: orderedSchema, status: 202 },
    },
    (asked) => orderPost(deps, deps.kinds.post, whoseOf(asked), asked.params.category_id, wanted(asked.body)),
  );
  routes.get(
    "/posts/:run_id",
    {
      scope: "read",
      summary: "A post: its text, pictures, warnings, and how it was made",
      params,
      answer: postDetailSchema,
    },
    async (asked) => postOf(deps.sql, await readFor(deps, asked, "post"), asked.params.run_id),
  );
  routes.post(
    "/posts/:run_id/publish",
    {
      scope: "operate",
      summary: "Publish a reviewed post to its connection; its run ends with the delivery",
      params,
      answer: z.object({ run_id: z.string(), connection_id: z.int() }),
      status: 202,
    },
    async (asked) => ({
      run_id: asked.params.run_id,
      connection_id: await publishPost(deciding, whoseOf(asked), asked.params.run_id),
    }),
  );
  routes.post(
    "/posts/:run_id/regenerate",
    {
      scope: "write",
      summary: "Write a reviewed post anew: twice for nothing, then for its price",
      params,
      answer: z.object({ run_id: z.string(), tokens: z.int().describe("Held for it") }),
      status: 202,
    },
    async (asked) => ({
      run_id: asked.params.run_id,
      tokens: await regeneratePost(deciding, whoseOf(asked), asked.params.run_id),
    }),
  );
  routes.post(
    "/posts/:run_id/cancel",
    {
      scope: "write",
      summary:
        "Cancel a post that is being written or reviewed, or skip an adapted one; its tokens are returned",
      params,
      answer: z.object({ run_id: z.string(), ended: z.enum(["cancelled", "stopping"]) }),
    },
    async (asked) => ({
      run_id: asked.params.run_id,
      ended: await cancelPost(deciding, whoseOf(asked), asked.params.run_id),
    }),
  );
  routes.post(
    "/posts/:run_id/cross",
    {
      scope: "write",
      summary:
        "Adapt a published post to another connection, for tokens; the result waits for a decision of its own",
      params,
      ...{ body, answer: orderedSchema, status: 202 },
    },
    (asked) =>
      orderCrossPost(deps, deps.kinds.crossPost, whoseOf(asked), asked.params.run_id, wanted(asked.body)),
  );
  routes.post(
    "/publications/:publication_id/cross",
    {
      scope: "write",
      summary: "Adapt a post of the history to another connection, for tokens",
      params: z.object({ ...person, publication_id: idText }),
      ...{ body, answer: orderedSchema, status: 202 },
    },
    async (asked) => {
      const whose = whoseOf(asked);
      const runId = await runOfPublication(deps.sql, whose, asked.params.publication_id);
      return orderCrossPost(deps, deps.kinds.crossPost, whose, runId, wanted(asked.body));
    },
  );
}
