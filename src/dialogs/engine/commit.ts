import type { Transaction } from "../../kernel/db/index.ts";
import { arrive } from "./arrive.ts";
import type { EngineDeps } from "./deps.ts";
import { type Next, saveDialogue } from "./dialogue.ts";
import { withKeyboard } from "./keyboard.ts";
import type { Situation } from "./situation.ts";

/** Brings a step to its screen and saves it. Returns a short answer to the tap that led there, if there is one. */
export async function commitStep<Services>(
  tx: Transaction,
  situation: Situation<Services>,
  begun: Next,
  deps: EngineDeps<Services>,
): Promise<string | undefined> {
  const { next, toast } = await arrive(begun, situation);
  await saveDialogue(tx, situation.dialogue, await withKeyboard(next, situation), deps);
  return toast;
}
