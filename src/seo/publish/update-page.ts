import { z } from "zod";
import { type CorrectDeps, correctAddressed, correctionEnd } from "../../delivery/index.ts";
import { Problem } from "../../http/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { defineTask, enqueue, type Task } from "../../kernel/jobs/index.ts";
import { type ArticleOrder, type ArticleResult, articleOrder, articleResult } from "../articles/shape.ts";
import { ownerOf } from "../connections/connect.ts";
import { readConnection } from "../connections/connections.ts";
import { siteMetadataOf } from "../connections/site-metadata.ts";
import type { Whose } from "../people/whose.ts";
import type { PictureFile } from "../render/index.ts";
import type { Said } from "../said.ts";
import { payloadOf } from "./publish-article.ts";
import { type EndDeps, endPublication, type PlaceEnd } from "./publish-run.ts";
import { articleToPublish } from "./publishable.ts";

/**
 * An article that takes the place of a page of ours: the delivery that made the page is corrected, so that its address stays. A
 * correction tells nobody of its end; the job looks for it, ever less often.
 */

const job = z.object({
  workspace_id: z.uuid(),
  user_id: z.int(),
  run_id: z.uuid(),
  /** By picture. */
  files: z.array(z.object({ blob_ref: z.string() }).nullable()),
  correction_id: z.string().optional(),
  /** How often it was looked for. */
  looks: z.int().optional(),
});
type UpdateJob = z.infer<typeof job>;

const spec = { name: "seo.update_page", schema: job } as const;

/** For those who enqueue it; `createUpdateTask` makes the one that does the work. */
const updateTask: Task<UpdateJob> = defineTask({
  ...spec,
  run: async () => {
    throw new Error("the module that updates pages did not register its task");
  },
});

/** Has the page written anew once the transaction commits. */
export async function updatePage(
  tx: Transaction,
  { workspaceId, userId, runId }: Whose & { readonly runId: string },
  files: readonly (PictureFile | undefined)[],
): Promise<void> {
  const kept = files.map((file) => (file && "blob_ref" in file ? { blob_ref: file.blob_ref } : null));
  const given = { workspace_id: workspaceId, user_id: userId, run_id: runId, files: kept };
  await enqueue(tx, updateTask, given, { key: keyOf(runId) });
}

const keyOf = (runId: string) => `seo.update_page ${runId}`;

/** A day: a channel that is switched off holds its corrections back. */
const mostLooks = 60 * 24;

export function createUpdateTask(deps: EndDeps & { readonly correcting: CorrectDeps }): Task<UpdateJob> {
  const { sql, clock, correcting } = deps;

  async function followed(given: UpdateJob, order: ArticleOrder, result: ArticleResult) {
    const { workspace_id: workspaceId, correction_id: correctionId } = given;
    if (correctionId === undefined) return begun(given, order, result);
    const end = await correctionEnd(sql, workspaceId, correctionId);
    if (end?.outcome === "done") return { ok: true, url: order.update?.url } satisfies PlaceEnd;
    if (end) return failed(end.error?.code ?? end.outcome, end.error?.message ?? words[end.outcome]);
    return (given.looks ?? 0) < mostLooks ? undefined : failed("too_late", words.too_late);
  }

  /** The end if there is one at once, else the correction to look for. */
  async function begun(
    { workspace_id, user_id, files }: UpdateJob,
    { update, connection_id }: ArticleOrder,
    result: ArticleResult,
  ): Promise<PlaceEnd | string> {
    const deliveryId = update?.delivery_id;
    if (!deliveryId) return failed("post_unavailable", words.gone);
    const whose = { workspaceId: workspace_id, userId: user_id };
    const owner = ownerOf(whose);
    const site =
      connection_id === null ? {} : siteMetadataOf(await readConnection(sql, whose, connection_id));
    const { media, ...text } = payloadOf(
      result,
      files.map((file) => file ?? undefined),
      site,
    );
    const payload = { ...text, media: [...media] };
    try {
      const { items } = await correctAddressed(correcting, workspace_id, owner, [deliveryId], payload, {
        reason: "an article updates its page",
      });
      const [item] = items;
      if (item?.correction_id && item.action !== "refused") return item.correction_id;
      if (item?.code === "unchanged") return { ok: true, url: update?.url };
      return failed(item?.code ?? "refused", item?.detail ?? words.gone);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return failed(error.code, error.message);
    }
  }

  return defineTask({
    ...spec,
    async run(given) {
      const { workspace_id: workspaceId, user_id: userId, run_id: runId } = given;
      const [run] = await sql<{ input: unknown; result: unknown }[]>`
        select r.input, r.result from seo.runs r
        where r.workspace_id = ${workspaceId} and r.id = ${runId} and r.kind = 'article' and r.status = 'publishing'`;
      if (!run) return;
      const [order, result] = [articleOrder.parse(run.input), articleResult.parse(run.result)];
      const end = await followed(given, order, result);
      if (typeof end === "object")
        return endPublication(
          deps,
          { whose: { workspaceId, userId }, runId, place: order, work: articleToPublish(result) },
          end,
        );
      const looks = (given.looks ?? 0) + 1;
      await enqueue(
        sql,
        updateTask,
        { ...given, looks, ...(end !== undefined && { correction_id: end }) },
        { key: keyOf(runId), runAt: new Date(clock.now().getTime() + pauseMs(looks)) },
      );
    },
  });
}

const pauseMs = (looks: number) => Math.min(60_000, 1_000 * 2 ** Math.min(looks, 6));

const words = {
  failed: "the site refused it",
  superseded: "the page was changed again meanwhile",
  gone: "the post is no longer on record",
  too_late: "the site could not be reached within a day",
} as const;

function failed(code: string, why: string): PlaceEnd & { ok: false } {
  const said: Said = {
    ru: `Не удалось обновить страницу: ${why}. Токены возвращены.`,
    en: `The page could not be updated: ${why}. The tokens were returned.`,
  };
  return { ok: false, code, said };
}
