import type { Sql } from "../../kernel/db/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import { readRun } from "../runs/read-runs.ts";
import {
  isPostKind,
  type PostOrder,
  type PostPlatform,
  type PostResult,
  postKinds,
  postOrder,
  postResult,
} from "./shape.ts";
import { sources } from "./words.ts";

export interface Source {
  readonly order: PostOrder;
  readonly result: PostResult;
}

/** A published post of the person's own, from which others can be made. */
export async function sourceOf(sql: Sql, whose: Whose, runId: string): Promise<Source> {
  const run = await readRun(sql, whose.workspaceId, runId, whose.userId);
  if (!isPostKind(run.kind)) throw notFound("post", runId);
  if (run.status !== "done") throw new SeoProblem("not_publishable", sources.not_published);
  return { order: postOrder.parse(run.input), result: postResult.parse(run.result) };
}

/** The run of a publication in the person's history. Throws if it is no post, or its run is gone. */
export async function runOfPublication(sql: Sql, whose: Whose, publicationId: number): Promise<string> {
  const { workspaceId, userId } = whose;
  const [found] = await sql<{ content_type: string; status: string; run: string | null }[]>`
    select l.content_type, l.status, (
      select r.id from seo.runs r
      where r.workspace_id = l.workspace_id and r.user_id = l.user_id and r.kind = any (${[...postKinds]}) and r.status = 'done'
        and r.connection_id = l.connection_id and r.result ->> 'content_hash' = l.content_hash::text
        and r.result ->> 'post_url' is not distinct from l.post_url
      order by r.ended_at desc limit 1) as run
    from seo.publication_logs l
    where l.workspace_id = ${workspaceId} and l.user_id = ${userId} and l.id = ${publicationId}`;
  if (!found) throw notFound("publication", publicationId);
  if (found.content_type !== "social_post") throw new SeoProblem("not_publishable", sources.no_post);
  if (found.status !== "success") throw new SeoProblem("not_publishable", sources.not_published);
  if (found.run === null) throw new SeoProblem("not_publishable", sources.text_gone);
  return found.run;
}

const hundred = 100;

/** An adaptation adds nothing: it is as long as the post at most, by hundreds of words, which are what is paid. */
export function adaptedWords(platform: PostPlatform, words: number) {
  const most = platform === "pinterest" ? hundred : Math.max(1, Math.ceil(words / hundred)) * hundred;
  return { min: 1, max: most };
}
