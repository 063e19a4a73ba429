import { z } from "zod";
import { listPrices, tokensFor } from "../../billing/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import { chargesOf, imageOperation } from "../articles/article-deps.ts";
import type { StoredPicture, Warning } from "../articles/shape.ts";
import { simHash, validateContent } from "../checks/index.ts";
import { plainly } from "../language/index.ts";
import { giveBackIfHeld, lowerIfHeld } from "../orders/held-step.ts";
import type { Whose } from "../people/whose.ts";
import { deletePictures } from "../pictures/stored-files.ts";
import { address, keepPictures, type PublishDeps, publishOrEnd } from "../publish/publish-run.ts";
import { postToPublish } from "../publish/publishable.ts";
import type { PictureFile } from "../render/index.ts";
import { internalCode, RunFailure } from "../runs/run-failure.ts";
import type { RunScope, WorkEnd } from "../runs/run-kind.ts";
import type { Said } from "../said.ts";
import { lastResult } from "../texts/reviewed-text.ts";
import { payloadOf, readersText } from "./post-payload.ts";
import { postPlace } from "./read-brief.ts";
import { type PostOrder, type PostPlatform, type PostResult, postResult, type WrittenPost } from "./shape.ts";
import { failures, places, warning } from "./words.ts";
import type { PostDeps } from "./write-post.ts";

/** The end of writing a post, of one's own or adapted: checks, price, and what becomes of it. */

/** A post that is written and illustrated. */
export interface Draft {
  readonly platform: PostPlatform;
  readonly target: string;
  readonly phrase: string;
  readonly link: string | null;
  readonly disclaimer: string | null;
  readonly written: WrittenPost;
  readonly pictures: readonly StoredPicture[];
  readonly sourceRunId: string | null;
  readonly regenerations: number;
}

/** The result of a draft, or why it cannot be published. */
export function checkedPost(
  draft: Draft,
  { run, now }: { run: RunScope; now: Date },
): PostResult | { readonly fault: Said } {
  const { without_phrase, ...written } = draft.written;
  const { platform, target, phrase, link, disclaimer, pictures, regenerations } = draft;
  const shown = { ...written, platform, target, phrase, link, disclaimer };
  const text = readersText(shown);
  const { ok, errors, warnings } = validateContent({
    ...{ destination: platform, kind: "post", format: "plain", images: pictures.length, text },
    ...(written.pin_title !== null && { title: written.pin_title }),
  });
  if (!ok)
    return {
      fault: {
        ru: [failures.not_valid.ru, ...errors.map(({ message }) => message.ru)].join(" "),
        en: [failures.not_valid.en, ...errors.map(({ message }) => message.en)].join(" "),
      },
    };
  return {
    ...{ ...shown, pictures: [...pictures], regenerations, source_run_id: draft.sourceRunId },
    warnings: [...(without_phrase ? [warning("phrase_not_first")] : []), ...asWarnings(warnings)],
    content_hash: String(simHash(plainly(text))),
    ms: Math.max(0, now.getTime() - run.createdAt.getTime()),
  };
}

/** Waits for its person; a schedule publishes at once. */
export async function endOfPost(
  deps: PostDeps,
  run: RunScope,
  order: PostOrder,
  result: PostResult,
): Promise<WorkEnd<PostResult>> {
  if (run.origin === "person") return { status: "review", result };
  const files = await filesOf(deps, run, result);
  const given = { whose: run, runId: run.runId, order, result, files };
  return {
    status: "publishing",
    result,
    also: (tx) =>
      publishOrEnd(
        { ...deps, sql: tx },
        { ...given, place: order, work: postToPublish(result), gone: places.deleted },
        (inner) => addressPost({ ...deps, sql: inner }, given),
      ),
  };
}

export const filesOf = (
  deps: PublishDeps & Pick<PostDeps, "sql">,
  run: { readonly workspaceId: string; readonly runId: string },
  { pictures }: PostResult,
) => keepPictures(deps, run, pictures, () => undefined);

export interface PostToAddress {
  readonly whose: Whose;
  readonly runId: string;
  readonly order: PostOrder;
  readonly result: PostResult;
  readonly files: readonly (PictureFile | undefined)[];
  readonly waitUntil?: Date | undefined;
}

/** Enqueues the delivery of a post; throws if its connection is gone or would not take it. */
export async function addressPost(
  deps: PublishDeps & { readonly sql: Transaction },
  { whose, runId, order, result, files, waitUntil }: PostToAddress,
): Promise<void> {
  const { channel_id: channelId } = await postPlace(deps.sql, whose, order);
  const payload = payloadOf(result, files);
  await address(deps, { whose, runId, place: order, channelId, payload, waitUntil });
}

/** Lowers what is held to the words and pictures there are. Returns what went back for pictures. */
export function settlePrice(
  deps: PostDeps,
  run: RunScope,
  { operation, words, drawn }: { operation: string; words: number; drawn: number },
): Promise<number> {
  const { workspaceId, runId } = run;
  const steps = chargesOf(run.round);
  const charge = (step: string) => ({ workspaceId, run: runId, step });
  return run.step("price", { result: z.int() }, async () => {
    const prices = await listPrices(deps.sql, workspaceId);
    // The first generation fixes the price: those after it cost the same, however long they are.
    if (run.round === 0) await lowerIfHeld(deps, charge(steps.text), tokensFor(prices, operation, words));
    if (drawn === 0) return giveBackIfHeld(deps, charge(steps.images), "nothing was drawn");
    return lowerIfHeld(deps, charge(steps.images), tokensFor(prices, imageOperation, drawn));
  });
}

/**
 * Ends the run if this was the first attempt. A regeneration that failed costs nothing, and the post before it stays.
 */
export async function notWritten(
  deps: PostDeps,
  run: RunScope,
  { before, drawn, code, said }: NotWritten,
): Promise<WorkEnd<PostResult>> {
  const unused = drawn.filter(({ storage_path }) => !namesOf(before).has(storage_path));
  await deletePictures(
    deps.storage,
    run.workspaceId,
    unused.map(({ storage_path }) => storage_path),
  );
  if (!before) throw new RunFailure(code, said);
  return keptPost(deps, run, before, code);
}

/** Ends a regeneration that failed through our fault. */
export async function postBefore(deps: PostDeps, run: RunScope): Promise<WorkEnd<PostResult>> {
  return keptPost(deps, run, await lastResult(deps, run, postResult), internalCode);
}

async function keptPost(
  deps: PostDeps,
  run: RunScope,
  before: PostResult,
  code: string,
): Promise<WorkEnd<PostResult>> {
  const steps = chargesOf(run.round);
  await run.step("return", { result: z.int() }, async () => {
    const { workspaceId, runId } = run;
    const charge = (step: string) => ({ workspaceId, run: runId, step });
    return (
      (await giveBackIfHeld(deps, charge(steps.text), code)) +
      (await giveBackIfHeld(deps, charge(steps.images), code))
    );
  });
  const failed = warning("not_regenerated");
  const others = before.warnings.filter((each) => each.code !== failed.code);
  return { status: "review", result: { ...before, warnings: [failed, ...others] } };
}

export interface NotWritten {
  /** The post of the round before; undefined in the first. */
  readonly before: PostResult | undefined;
  readonly drawn: readonly StoredPicture[];
  readonly code: string;
  readonly said: Said;
}

const namesOf = (post: PostResult | undefined) =>
  new Set(post?.pictures.map(({ storage_path }) => storage_path));

/** Deletes pictures of the round before that the new post does not have; what cannot be deleted now goes after a week. */
export async function forgetBefore(
  deps: PostDeps,
  run: RunScope,
  before: PostResult | undefined,
  pictures: readonly StoredPicture[],
): Promise<void> {
  const used = new Set(pictures.map(({ storage_path }) => storage_path));
  const unused = [...namesOf(before)].filter((path) => !used.has(path));
  if (unused.length > 0)
    await run.step("tidy", { result: z.int() }, async (step) => {
      try {
        await deletePictures(deps.storage, run.workspaceId, unused);
      } catch (error) {
        step.note("left_behind", { reason: messageOf(error) });
      }
      return unused.length;
    });
}

export const asWarnings = (
  findings: readonly { readonly code: string; readonly message: Said }[],
): Warning[] => findings.map(({ code, message }) => ({ code, message: { ...message } }));
