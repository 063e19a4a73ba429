/** Flows that wait for something outside: their message shows how far it is, at a bounded pace. */
import type { Transaction } from "../../kernel/db/index.ts";
import { isWait } from "../flow/graph.ts";
import { arrive } from "./arrive.ts";
import type { EngineDeps } from "./deps.ts";
import { saveDialogue } from "./dialogue.ts";
import { withKeyboard } from "./keyboard.ts";
import type { Scene } from "./render.ts";
import type { Situation } from "./situation.ts";
import { enter } from "./steps.ts";

export function isWaiting<Services>({ flow, state: name }: Scene<Services>): boolean {
  const state = flow.states[name];
  return state !== undefined && isWait(state);
}

/** Looks again how far it is. The buttons keep their revision, so that a tap meanwhile still counts. */
export async function lookAgain<Services>(
  tx: Transaction,
  scene: Scene<Services>,
  situation: Situation<Services>,
  deps: EngineDeps<Services>,
): Promise<void> {
  const { dialogue, moment } = situation;
  const tapRevision = dialogue.tap_revision ?? dialogue.revision;
  const still = { ...enter(scene, { ...moment, wrote: false, revision: tapRevision }), tapRevision };
  const { next } = await arrive({ ...still, fresh: false }, situation);
  const moved = next.flow !== scene.flow.name || next.state !== scene.state;
  if (moved) return void (await saveDialogue(tx, dialogue, await withKeyboard(next, situation), deps));
  if (next.screen.text !== (await shownText(tx, situation, deps)))
    return void (await saveDialogue(tx, dialogue, next, deps));
  const { workspaceId, bot } = deps.key;
  await tx`
    update dialogs.dialogues set expires_at = ${next.expiresAt}
    where workspace_id = ${workspaceId} and bot = ${bot} and chat_id = ${dialogue.chat_id}`;
}

async function shownText<Services>(
  tx: Transaction,
  { dialogue }: Situation<Services>,
  { key }: EngineDeps<Services>,
): Promise<string | null | undefined> {
  const [row] = await tx<{ text: string | null }[]>`
    select screen->>'text' as text from dialogs.dialogues
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${dialogue.chat_id}`;
  return row?.text;
}
