import type { Sql } from "../../kernel/db/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import { readRun } from "../runs/read-runs.ts";
import {
  isPostKind,
  type PostOrder,
  type PostPlatform,
  type PostResult,
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

const hundred = 100;

/** An adaptation adds nothing: it is as long as the post at most, by hundreds of words, which are what is paid. */
export function adaptedWords(platform: PostPlatform, words: number) {
  const most = platform === "pinterest" ? hundred : Math.max(1, Math.ceil(words / hundred)) * hundred;
  return { min: 1, max: most };
}
