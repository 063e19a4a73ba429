import { personWaitsMs } from "../../delivery/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type Marking, markingLine } from "../adverts/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import { chargesAgain } from "../publish/charges-again.ts";
import type { CleanUp } from "../publish/clean-up.ts";
import type { PublishDeps } from "../publish/publish-run.ts";
import { tooFewForAnother } from "../publish/too-few.ts";
import type { Runs } from "../runs/create-runs.ts";
import { readRun } from "../runs/read-runs.ts";
import { addressPost, filesOf } from "./finish-post.ts";
import { withLineBelow } from "./fit-post.ts";
import { postPlace, unlessDeleted } from "./read-brief.ts";
import {
  type PostDetail,
  type PostOrder,
  type PostResult,
  postKinds,
  postOrder,
  postResult,
} from "./shape.ts";
import { endings, places } from "./words.ts";

/** What a person decides about a post or an adapted one that is being reviewed. Of several decisions at once, one wins. */

export interface DecidePostDeps extends PublishDeps {
  readonly sql: Sql;
  readonly runs: Runs;
  readonly cleanUp: CleanUp;
}

/** Publishes the post to the connection it was written for, as an advert if a marking is given. Returns the connection. */
export async function publishPost(
  deps: DecidePostDeps,
  whose: Whose,
  runId: string,
  marking?: Marking,
): Promise<number> {
  const { order, result: written } = await reviewed(deps.sql, whose, runId);
  const result = marking ? asAdvert(written, marking) : written;
  // Refused before anything is copied.
  const { id } = await unlessDeleted(
    () => postPlace(deps.sql, whose, order),
    () => new SeoProblem("not_publishable", places.deleted),
  );
  const files = await filesOf(deps, { ...whose, runId }, result);
  const waitUntil = new Date(deps.clock.now().getTime() + personWaitsMs);
  const isDecided = await deps.runs.publish({ ...whose, runId }, id, async (tx) => {
    // What is adapted from it later has the marking, too.
    if (marking)
      await tx`
        update seo.runs set result = ${JSON.stringify(result)}::text::jsonb
        where workspace_id = ${whose.workspaceId} and id = ${runId}`;
    await addressPost({ ...deps, sql: tx }, { whose, runId, order, result, files, waitUntil });
  });
  if (!isDecided) throw await decided(deps.sql, whose, runId);
  return id;
}

/** The marking stands below the text, after what its subject requires. */
function asAdvert(post: PostResult, marking: Marking): PostResult {
  const lines = [...(post.disclaimer === null ? [] : [post.disclaimer]), markingLine(marking)];
  return withLineBelow(post, post.platform, lines.join("\n\n"));
}

/** Has the post written anew: twice for nothing, then for the price of the first time. Returns what is held for it. */
export async function regeneratePost(deps: DecidePostDeps, whose: Whose, runId: string): Promise<number> {
  const { run, result } = await reviewed(deps.sql, whose, runId);
  const charges = result.regenerations < deps.runs.rules.freeRegenerations ? [] : chargesAgain(run);
  const begun = await deps.runs.regenerate({ ...whose, runId }, charges);
  if (begun.ok) return charges.reduce((sum, { tokens }) => sum + tokens, 0);
  if (begun.reason === "not_reviewed") throw await decided(deps.sql, whose, runId);
  throw tooFewForAnother(begun);
}

/** Cancels the post, reviewed or still being written; its tokens go back. An adaptation that is skipped is cancelled like this. */
export async function cancelPost(
  deps: DecidePostDeps,
  whose: Whose,
  runId: string,
): Promise<"cancelled" | "stopping"> {
  const { result } = await postOf(deps.sql, whose, runId);
  const status = await deps.runs.cancel({ ...whose, runId });
  if (status === "running") return "stopping";
  if (status !== "cancelled") throw await decided(deps.sql, whose, runId);
  if (result) await deps.cleanUp(whose.workspaceId, { preview: null, pictures: result.pictures });
  return "cancelled";
}

/**
 * Ends the review of a post whose person went away: the dialog it was shown in timed out or gave way to another one (E26, E27). The
 * post is lost and its tokens are spent. Returns false if it was decided on before.
 */
export async function losePost(deps: DecidePostDeps, whose: Whose, runId: string): Promise<boolean> {
  const { result } = await postOf(deps.sql, whose, runId);
  const isLost = await deps.runs.lose({ ...whose, runId });
  if (isLost && result) await deps.cleanUp(whose.workspaceId, { preview: null, pictures: result.pictures });
  return isLost;
}

/** A run of the person's own that writes or adapts a post. */
export async function postOf(sql: Sql, whose: Whose, runId: string): Promise<PostDetail> {
  const run = await readRun(sql, whose.workspaceId, runId, whose.userId);
  const kind = postKinds.find((each) => each === run.kind);
  if (!kind) throw notFound("post", runId);
  return { ...run, kind, result: postResult.nullable().parse(run.result) };
}

interface Reviewed {
  readonly run: PostDetail;
  readonly order: PostOrder;
  readonly result: PostResult;
}

async function reviewed(sql: Sql, whose: Whose, runId: string): Promise<Reviewed> {
  const run = await postOf(sql, whose, runId);
  const { result } = run;
  if (run.status !== "review" || !result) throw endedProblem(run);
  return { run, order: postOrder.parse(run.input), result };
}

const decided = async (sql: Sql, whose: Whose, runId: string) =>
  endedProblem(await postOf(sql, whose, runId));

function endedProblem({ status, error }: PostDetail): SeoProblem {
  const known = Object.entries(endings).find(([name]) => name === status)?.[1];
  return new SeoProblem("text_not_reviewed", known ?? error?.message ?? endings.expired);
}
