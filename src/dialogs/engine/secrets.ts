/** Which messages stay neither in the chat nor in the inbox: those with a password or a token. */
import { listOf } from "../flow/flow.ts";
import { isAsk } from "../flow/graph.ts";
import type { Update } from "../messenger.ts";
import { type Situation, sceneOf } from "./situation.ts";

/** Says by its form that a text is a password or a token. */
export type LooksSecret = (text: string) => boolean;

/** What was written where a secret is asked for, even if it came too late or twice; and what looks like one anywhere. */
export function isSecret<Services>(
  update: Update,
  { dialogue, moment, looksSecret }: Pick<Situation<Services>, "dialogue" | "moment" | "looksSecret">,
): boolean {
  if (update.kind === "text" && looksSecret?.(update.text)) return true;
  if (update.kind !== "text" && update.kind !== "edited") return false;
  const scene = sceneOf(dialogue, moment.flows);
  const state = scene?.flow.states[scene.state];
  if (!scene || !state) return false;
  if (isAsk(state) && state.text) return state.text.secret === true;
  // A person who sees no answer at once sends it again.
  return Object.values(scene.flow.states).some(
    (before) =>
      isAsk(before) && before.text?.secret && listOf(before.text.to).some((to) => to === scene.state),
  );
}
