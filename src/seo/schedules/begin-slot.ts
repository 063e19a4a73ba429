/** Begins the run of a slot, or ends or puts off the slot: connection, phrases and tokens are looked at in this order. */
import type { Transaction } from "../../kernel/db/index.ts";
import { type OrderArticleDeps, orderArticle } from "../articles/order-article.ts";
import type { ConnectionCheck } from "../connections/shape.ts";
import { TooFewTokens } from "../orders/begin-work.ts";
import type { Workshop } from "../parts.ts";
import type { Whose } from "../people/whose.ts";
import { orderPost } from "../posts/order-post.ts";
import { SeoProblem } from "../problems.ts";
import { type Autopublication, isSlot, lockUnended, putOff, requestKeyOf } from "./autopublications.ts";
import { type ConcludeDeps, concludeWithout, type EndFacts } from "./conclude-slot.ts";
import { type EndName, pauses } from "./ends.ts";
import { readScheduledPlace, type ScheduledPlace } from "./scheduled-place.ts";

export interface BeginDeps extends ConcludeDeps, OrderArticleDeps {
  readonly kinds: Pick<Workshop["kinds"], "article" | "post" | "crossPost">;
  /** Asks the platform whether a connection works. */
  readonly check: (whose: Whose, connectionId: number) => Promise<ConnectionCheck>;
}

/** The run to work on; undefined if there is none for now or for good. */
export async function beginSlot(deps: BeginDeps, slot: Autopublication): Promise<string | undefined> {
  if (slot.runId !== null) return slot.runId;
  const place = await readScheduledPlace(deps.sql, slot);
  if (!place) return undefined;
  if (!place.enabled) return without(deps, slot, "switched_off");
  const obstacle = await connectionObstacle(deps, slot, place);
  if (obstacle === "later") return undefined;
  if (obstacle) return without(deps, slot, ...obstacle);
  const noPhrases = await phraseObstacle(deps, place);
  if (noPhrases) return without(deps, slot, noPhrases);
  try {
    return (await order(deps, slot, place)).run_id;
  } catch (error) {
    if (!(error instanceof SeoProblem)) throw error;
    if (error instanceof TooFewTokens) {
      const { needed, balance } = error;
      return without(deps, slot, "too_few_tokens", { needed, balance });
    }
    return without(deps, slot, nameOf(error), { said: error.said });
  }
}

/** Everything else that an order refuses is about the place. */
const nameOf = ({ code }: SeoProblem): EndName => (code === "no_phrase" ? "no_phrase" : "platform");

async function without(deps: BeginDeps, slot: Autopublication, name: EndName, facts: EndFacts = {}) {
  await deps.sql.begin(async (tx) => {
    const unended = await lockUnended(tx, slot);
    if (unended?.token === slot.token) await concludeWithout(deps, tx, unended, name, facts);
  });
  return undefined;
}

function order(
  deps: BeginDeps,
  slot: Autopublication,
  { categoryId, connectionId, connection }: ScheduledPlace,
) {
  const whose = { workspaceId: slot.workspaceId, userId: slot.userId };
  const requestKey = requestKeyOf(slot);
  /** With the order: a process that dies here leaves a slot that knows its run, or no run at all. */
  const also = async (tx: Transaction, run: string) => {
    await tx`update seo.autopublications a set run_id = ${run} where ${isSlot(tx, slot)}`;
  };
  const wanted = { connectionId, origin: "schedule", inHand: true, requestKey, also } as const;
  return connection.platform_type === "wordpress"
    ? orderArticle(deps, deps.kinds.article, whose, categoryId, wanted)
    : orderPost(deps, deps.kinds.post, whose, categoryId, wanted);
}

/** A platform that refuses is told at once; one that does not answer is asked three times more. */
async function connectionObstacle(
  deps: BeginDeps,
  slot: Autopublication,
  { connectionId }: ScheduledPlace,
): Promise<"later" | [EndName, EndFacts] | undefined> {
  const whose = { workspaceId: slot.workspaceId, userId: slot.userId };
  const { ok, finding, ru, en } = await deps.check(whose, connectionId);
  if (ok) return undefined;
  if (finding !== "unreachable") return ["refused", { said: { ru, en } }];
  const pause = pauses.platformMs[slot.tries];
  if (pause === undefined) return ["platform", { said: { ru, en } }];
  const notBefore = new Date(deps.clock.now().getTime() + pause);
  await deps.sql.begin(async (tx) => {
    const unended = await lockUnended(tx, slot);
    if (unended?.token === slot.token) await putOff(tx, unended, { notBefore, tries: slot.tries + 1 });
  });
  return "later";
}

/** E17 and E40: before tokens are looked at. */
async function phraseObstacle(
  { sql, clock }: BeginDeps,
  { workspaceId, categoryId, connection }: ScheduledPlace,
): Promise<EndName | undefined> {
  const contentType = connection.platform_type === "wordpress" ? "article" : "social_post";
  const [found] = await sql<[{ all: number; fitting: number }]>`
    select
      (select jsonb_array_length(seo.clusters_of(c.keywords)) from seo.categories c
       where c.workspace_id = ${workspaceId} and c.id = ${categoryId}) as all,
      (select count(*)::int from seo.rotation_of(${workspaceId}, ${categoryId}, ${contentType}, ${clock.now()})) as fitting`;
  if (found.all === 0) return "no_phrases";
  return found.fitting === 0 ? "no_articles" : undefined;
}
