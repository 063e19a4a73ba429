import type { Transaction } from "../../kernel/db/index.ts";
import { arrive } from "./arrive.ts";
import type { EngineDeps } from "./deps.ts";
import { type Next, saveDialogue } from "./dialogue.ts";
import { withKeyboard } from "./keyboard.ts";
import { leaveFlow, type Situation, sceneOf } from "./situation.ts";
import type { Unshown } from "./unshown.ts";

export interface Committed {
  /** A short answer to the tap that led there. */
  readonly toast: string | undefined;
  readonly shows: Unshown | undefined;
}

/** Brings a step to its screen and saves it. With `shows`, the caller shows it if no other process is showing one. */
export async function commitStep<Services>(
  tx: Transaction,
  situation: Situation<Services>,
  begun: Next,
  deps: EngineDeps<Services>,
  how: { readonly shows?: boolean } = {},
): Promise<Committed> {
  const left = begun.keeps && sceneOf(begun.keeps, situation.moment.flows);
  if (left) await leaveFlow(left, "replaced", situation);
  const { next, toast } = await arrive(begun, situation);
  const shows = await saveDialogue(tx, situation.dialogue, await withKeyboard(next, situation), deps, how);
  return { toast, shows };
}
