/** Screens of posts: where they begin, and what a published one offers. */

import { createLedger, listPrices, tokensFor } from "../../../billing/index.ts";
import type { ScreenKey } from "../../../dialogs/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { connectionPage, readConnection } from "../../connections/connections.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import { adaptedWords } from "../../posts/cross-post-source.ts";
import { postOf } from "../../posts/decide-post.ts";
import { crossPostKind, type PostDetail, postOrder } from "../../posts/shape.ts";
import { crossOperation } from "../../posts/write-post.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { receiptText } from "../runs/receipt.ts";
import { action, type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { isPostPlatform, noPost, placeName, readOrder } from "./post-data.ts";

/** More than any project has. */
const most = 200;

export const begin = action("category:{id}:connection:{connection}:post", {
  to: ["flow:SocialPostPublish"],
  act: ({ id, connection: connectionId }, visit) =>
    ifFound(async () => {
      const { sql } = inStep(visit);
      const category = await readCategory(sql, whoseOf(visit), id);
      const connection = await readConnection(sql, whoseOf(visit), connectionId);
      if (connection.project_id !== category.project_id || !isPostPlatform(connection.platform_type))
        return undefined;
      return { data: { projectId: category.project_id, categoryId: id, connectionId } };
    }),
});

export const start = action("pipeline:social:start", { to: ["flow:SocialPipeline"], act: () => ({}) });

/** Another post for the same place. */
export const another = action("pipeline:social:more:{connection}", {
  to: ["flow:SocialPipeline"],
  act: ({ connection: connectionId }, visit) =>
    ifFound(async () => {
      const connection = await readConnection(inStep(visit).sql, whoseOf(visit), connectionId);
      if (!isPostPlatform(connection.platform_type)) return undefined;
      return { state: "select_category", data: { projectId: connection.project_id, connectionId } };
    }),
});

/** A published post for another place of its project. */
export const cross = action("post:{@run}:cross:{connection}", {
  to: ["flow:SocialPipeline"],
  act: ({ run: runId, connection: connectionId }, visit) =>
    ifFound(async () => {
      if (!isRunId(runId)) return undefined;
      const run = await postOf(inStep(visit).sql, whoseOf(visit), runId);
      const { project_id: projectId, category_id: categoryId } = postOrder.parse(run.input);
      const data = { ...noPost, projectId, categoryId, connectionId, sourceRunId: runId };
      const order = run.status === "done" && (await readOrder(visit, data));
      return order ? { data: { ...data, order } } : undefined;
    }),
});

export const result = screen("post:{@run}:result", {
  to: [
    ...["post:{@run}:cross:{connection}", "pipeline:social:more:{connection}", "category:{id}:card"],
    ...["category:{id}:connection:{connection}:schedule", "dashboard"],
  ],
  async show({ run: runId }, visit) {
    const { sql, clock } = inStep(visit);
    const whose = whoseOf(visit);
    const run = isRunId(runId) ? await ifFound(() => postOf(sql, whose, runId)) : undefined;
    if (run?.status !== "done" || !run.result) return undefined;
    const { posts, common } = texts[visit.language];
    const say = posts.result;
    const { category_id: categoryId, connection_id: connectionId } = postOrder.parse(run.input);
    const connection = await ifFound(() => readConnection(sql, whose, connectionId));
    const category = await ifFound(() => readCategory(sql, whose, categoryId));
    const balance = (await createLedger(sql, clock).balance(whose.workspaceId, whose.userId)) ?? 0;
    const { post_url: url, pictures, target, platform } = run.result;
    const place = connection ? placeName(connection) : `${platformNames[platform]}: ${target}`;
    const link: ScreenKey[] = url === undefined ? [] : [{ label: say.open, url }];
    const more: ScreenKey[] = connection
      ? [{ label: say.more, to: `pipeline:social:more:${connectionId}` }]
      : [];
    const schedule: ScreenKey[] =
      connection && category
        ? [{ label: say.schedule, to: `category:${categoryId}:connection:${connectionId}:schedule` }]
        : [];
    return {
      text: [
        say.published(place),
        ...(pictures.length === 0 ? [say.withoutPicture] : []),
        "",
        receiptText(run, visit.language),
        say.balance(common.tokens(balance)),
      ].join("\n"),
      buttons: [
        link,
        ...(category ? await crossKeys(visit, run) : []),
        more,
        schedule,
        [
          ...(category ? [{ label: common.toCategory, to: `category:${categoryId}:card` }] : []),
          { label: common.mainMenu, to: "dashboard" },
        ],
      ],
    };
  },
});

/** Anybody can send any address. */
const isRunId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** A button for each other place of the project that does not have the post yet. */
async function crossKeys(visit: BotVisit, run: PostDetail): Promise<ScreenKey[][]> {
  const say = texts[visit.language].posts.result;
  const { sql } = inStep(visit);
  const whose = whoseOf(visit);
  const { project_id, connection_id } = postOrder.parse(run.input);
  const source = run.result?.source_run_id ?? run.run_id;
  const { items } = await connectionPage(sql, whose, project_id, { limit: most });
  const taken = await sql<{ id: number }[]>`
    select (r.input ->> 'connection_id')::int as id from seo.runs r
    where r.workspace_id = ${whose.workspaceId} and r.user_id = ${whose.userId} and r.status in ('publishing', 'done')
      and (r.id = ${source} or (r.kind = ${crossPostKind} and r.input ->> 'source_run_id' in (${source}, ${run.run_id})))`;
  const used = new Set([connection_id, ...taken.map(({ id }) => id)]);
  const others = items.filter(
    ({ id, platform_type, status }) => isPostPlatform(platform_type) && status === "active" && !used.has(id),
  );
  const prices = await listPrices(sql, whose.workspaceId);
  const words = run.result?.words ?? 0;
  const tokens = ({ platform_type }: SeoConnection) =>
    isPostPlatform(platform_type)
      ? tokensFor(prices, crossOperation, adaptedWords(platform_type, words).max)
      : 0;
  return others
    .filter(({ platform_type }) => platform_type !== "pinterest" || (run.result?.pictures.length ?? 0) > 0)
    .map((each) => {
      const isOnly = others.filter(({ platform_type }) => platform_type === each.platform_type).length === 1;
      const label = isOnly
        ? say.crossPost(platformNames[each.platform_type], tokens(each))
        : say.crossPostTo(placeName(each), tokens(each));
      return [{ label, to: `post:${run.run_id}:cross:${each.id}` }];
    });
}
