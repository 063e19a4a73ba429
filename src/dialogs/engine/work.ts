/** Long work: claimed under a lease, run outside any transaction, ended by one commit. */
import { setInterval } from "node:timers";
import type { StepResult, Stored, WorkState } from "../flow/flow.ts";
import { isWork } from "../flow/graph.ts";
import { commitStep } from "./commit.ts";
import { type EngineDeps, later, situationOf } from "./deps.ts";
import { lockDialogue } from "./dialogue.ts";
import { createDrafting } from "./drafting.ts";
import type { Scene } from "./render.ts";
import { sceneOf } from "./situation.ts";
import { follow } from "./steps.ts";
import type { Unshown } from "./unshown.ts";

export interface Claim {
  readonly chat_id: string;
  readonly work_id: string;
  readonly work_attempts: number;
}

const usualAttempts = 3;
const typingEveryMs = 4_000;
const draftEveryMs = 1_000;

/** Claims work that is not claimed or whose lease has expired, except in chats that this process works for: it may be late to renew. */
export async function claimWork<Services>(
  deps: EngineDeps<Services>,
  limit: number,
  busy: readonly string[] = [],
): Promise<Claim[]> {
  const { sql, key, clock, leaseMs } = deps;
  const now = clock.now();
  return sql<Claim[]>`
    update dialogs.dialogues as mine set work_until = ${later(now, leaseMs)}, work_attempts = mine.work_attempts + 1
    from (
      select chat_id from dialogs.dialogues
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and work_id is not null
        and (work_until is null or work_until <= ${now}) and chat_id <> all(${[...busy]}::text[])
      order by work_until nulls first limit ${limit} for update skip locked) due
    where mine.workspace_id = ${key.workspaceId} and mine.bot = ${key.bot} and mine.chat_id = due.chat_id
    returning mine.chat_id, mine.work_id, mine.work_attempts`;
}

/** Runs claimed work and ends it; a temporary failure is left to a later attempt. Returns the screen to show. */
export async function doWork<Services>(
  claim: Claim,
  signal: AbortSignal,
  deps: EngineDeps<Services>,
): Promise<Unshown | undefined> {
  const { sql, key, clock, log, messenger } = deps;
  const known = await sql.begin(async (tx) => {
    const dialogue = await lockDialogue(tx, key, claim.chat_id);
    const scene = dialogue && sceneOf(dialogue, deps.flows);
    return dialogue && scene && dialogue.work_id === claim.work_id ? { dialogue, scene } : undefined;
  });
  const state = known && workOf(known.scene);
  if (!known || !state) return dropWork(claim, deps);
  const { attempts = usualAttempts } = state;
  // The process with the last attempt died.
  if (claim.work_attempts > attempts) return endWork(claim, undefined, false, deps);

  const typing = () =>
    void messenger.typing(claim.chat_id).catch(() => log.debug("typing could not be shown"));
  typing();
  const beats = [setInterval(typing, typingEveryMs), setInterval(() => void holdOn(), deps.leaseMs / 3)];
  const drafting = createDrafting({
    longestText: messenger.longestText,
    everyMs: draftEveryMs,
    send: async (text) => (await messenger.draft?.(claim.chat_id, draftIdOf(claim.work_id), text)) ?? false,
  });
  const { dialogue, scene } = known;
  try {
    const outcome = await state.work({
      id: claim.work_id,
      attempt: claim.work_attempts,
      signal,
      data: scene.data,
      language: dialogue.language,
      workspaceId: key.workspaceId,
      chatId: dialogue.chat_id,
      userId: dialogue.user_id,
      now: clock.now(),
      services: deps.services,
      draft: drafting.show,
      download: (fileId, longest) => messenger.download(fileId, longest, signal),
    });
    await drafting.end();
    return await endWork(claim, outcome, drafting.seen(), deps);
  } catch (error) {
    log.warn({ err: error, bot: key.bot, work: claim.work_id, attempt: claim.work_attempts }, "work failed");
    await drafting.end();
    // Being stopped is not a failure of the work: the attempt is not counted.
    if (signal.aborted) await putBack(claim.work_attempts - 1, 0);
    else if (claim.work_attempts >= attempts) return await endWork(claim, undefined, drafting.seen(), deps);
    else await putBack(claim.work_attempts, 1_000 * 2 ** claim.work_attempts);
    return undefined;
  } finally {
    beats.forEach(clearInterval);
  }

  async function holdOn(): Promise<void> {
    try {
      await sql`
        update dialogs.dialogues set work_until = ${later(clock.now(), deps.leaseMs)}
        where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${claim.chat_id}
          and work_id = ${claim.work_id} and work_attempts = ${claim.work_attempts}`;
    } catch (error) {
      log.warn({ err: error }, "the lease of work could not be renewed");
    }
  }

  async function putBack(attempts: number, afterMs: number): Promise<void> {
    await sql`
      update dialogs.dialogues set work_until = ${later(clock.now(), afterMs)}, work_attempts = ${attempts}
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${claim.chat_id}
        and work_id = ${claim.work_id} and work_attempts = ${claim.work_attempts}`;
  }
}

/** Without a result, or with a refusal, it ends by the state's failure path. */
async function endWork<Services>(
  claim: Claim,
  outcome: StepResult<Stored, string> | undefined,
  drafted: boolean,
  deps: EngineDeps<Services>,
): Promise<Unshown | undefined> {
  return deps.sql.begin(async (tx) => {
    const dialogue = await lockDialogue(tx, deps.key, claim.chat_id);
    const scene = dialogue && sceneOf(dialogue, deps.flows);
    const state = scene && workOf(scene);
    // Cancelled meanwhile, or ended by another process: the result is dropped.
    if (!dialogue || !state || dialogue.work_id !== claim.work_id) return undefined;
    const situation = situationOf(tx, dialogue, { wrote: drafted }, deps);
    const { moment, turn } = situation;
    const refused = outcome === undefined || outcome.refuse !== undefined;
    if (refused) await state.failed.settle?.(turn(scene.data));
    const notice = outcome?.refuse ?? state.failed.text[dialogue.language];
    const next = refused
      ? follow(scene, state.failed.to, { notice }, moment)
      : follow(scene, state.to, outcome, moment);
    const { shows } = await commitStep(tx, situation, next, deps, { shows: true });
    return shows;
  });
}

/** Draft numbers must not be zero. */
function draftIdOf(workId: string): number {
  return Number.parseInt(workId.slice(-7), 16) + 1;
}

/** Drops work of a state that this release does not know; the person is told at the next update. */
async function dropWork<Services>(
  { chat_id, work_id }: Claim,
  { sql, key }: EngineDeps<Services>,
): Promise<undefined> {
  await sql`
    update dialogs.dialogues set work_id = null, work_until = null, work_attempts = 0
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chat_id} and work_id = ${work_id}`;
}

function workOf<Services>({
  flow,
  state: name,
}: Scene<Services>): WorkState<Stored, string, Services> | undefined {
  const state = flow.states[name];
  return state && isWork(state) ? state : undefined;
}
