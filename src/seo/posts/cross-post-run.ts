import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { pictureSchema, type StoredPicture } from "../articles/shape.ts";
import { readCategory } from "../categories/categories.ts";
import { withWait } from "../models/when-again.ts";
import { pictureKey, picturePath, readPicture } from "../pictures/stored-files.ts";
import { readProject } from "../projects/projects.ts";
import { defineRun, type RunKind, type RunScope, type WorkEnd } from "../runs/run-kind.ts";
import { resultBefore } from "../texts/reviewed-text.ts";
import { adaptedWords, sourceOf } from "./cross-post-source.ts";
import { checkedPost, endOfPost, forgetBefore, notWritten, postBefore, settlePrice } from "./finish-post.ts";
import { asText } from "./markup.ts";
import { deletedMeanwhile, nameOf, postPlace, unlessDeleted } from "./read-brief.ts";
import {
  type CrossBrief,
  type CrossPostOrder,
  crossBrief,
  crossPostKind,
  crossPostOrder,
  type PostResult,
  postResult,
} from "./shape.ts";
import { notAdapted, warning } from "./words.ts";
import { adaptPost, crossOperation, type PostDeps } from "./write-post.ts";

export type CrossPostRun = RunKind<CrossPostOrder, PostResult>;

/** Adapts a published post to another connection, with the same picture. A person decides on each; a schedule publishes it at once. */
export function crossPostRun(deps: PostDeps): CrossPostRun {
  return defineRun<CrossPostOrder, PostResult>({
    kind: crossPostKind,
    title: { ru: "кросс-пост", en: "cross-post" },
    input: crossPostOrder,
    work: (run, order) => adapt(deps, run, order),
    keepBefore: (run) => postBefore(deps, run),
  });
}

async function adapt(deps: PostDeps, run: RunScope, order: CrossPostOrder): Promise<WorkEnd<PostResult>> {
  const brief = await run.step("brief", { result: crossBrief, stage: "text", shared: true }, () =>
    unlessDeleted(() => readBrief(deps.sql, run, order), deletedMeanwhile),
  );
  const before = await resultBefore(deps, run, postResult);
  const { platform, target, phrase, disclaimer, site: link, source } = brief;
  const said = notAdapted(platform);
  const wrote = await adaptPost(deps, run, brief);
  if (!wrote.ok)
    return notWritten(deps, run, {
      ...{ before, drawn: [], code: "text_failed", said: withWait(said, wrote.error) },
    });
  const written = wrote.post;

  const pictures = await copyPictures(deps, run, order, source.pictures);
  const checked = checkedPost(
    {
      ...{ platform, target, phrase, link, disclaimer, written, pictures, sourceRunId: source.run_id },
      regenerations: before ? before.regenerations + 1 : 0,
    },
    { run, now: deps.clock.now() },
  );
  if ("fault" in checked) return notWritten(deps, run, { before, drawn: pictures, code: "not_valid", said });

  await settlePrice(deps, run, { operation: crossOperation, words: written.words, drawn: 0 });
  await forgetBefore(deps, run, before, pictures);
  const isGone = pictures.length < source.pictures.length;
  const warnings = [...checked.warnings, ...(isGone ? [warning("picture_gone")] : [])];
  return endOfPost(deps, run, order, { ...checked, warnings });
}

async function readBrief(sql: Sql, run: RunScope, order: CrossPostOrder): Promise<CrossBrief> {
  const [{ platform, ...connection }, project, { result: source }] = await Promise.all([
    postPlace(sql, run, order),
    readProject(sql, run, order.project_id),
    sourceOf(sql, run, order.source_run_id),
    readCategory(sql, run, order.category_id),
  ]);
  return {
    ...{ platform, target: nameOf(connection), words: adaptedWords(platform, source.words) },
    ...{ company_name: project.company_name, site: project.website_url },
    ...{ phrase: source.phrase, disclaimer: source.disclaimer },
    source: {
      ...{ run_id: order.source_run_id, platform: source.platform, text: asText(source.text) },
      pictures: platform === "pinterest" ? source.pictures.slice(0, 1) : source.pictures,
    },
  };
}

/** The picture belongs to the new post as well: what becomes of the first one's does not matter. */
function copyPictures(
  { storage }: PostDeps,
  run: RunScope,
  { project_id: projectId }: CrossPostOrder,
  pictures: readonly StoredPicture[],
): Promise<StoredPicture[]> {
  return run.step("pictures", { result: z.array(pictureSchema) }, async () => {
    const copied: StoredPicture[] = [];
    for (const picture of pictures) {
      const bytes = await readPicture(storage, run.workspaceId, picture.storage_path);
      if (!bytes) continue;
      const { number, media_type } = picture;
      const storage_path = picturePath({ ...run, projectId }, number, media_type);
      await storage.put(pictureKey(run.workspaceId, storage_path), bytes, { contentType: media_type });
      copied.push({ ...picture, storage_path });
    }
    return copied;
  });
}
