import { readFileSync } from "node:fs";
import { z } from "zod";
import { savePrompt } from "../../src/llm/prompts/prompts.ts";
import type { EvalBrief } from "./briefs.ts";
import { ownFiles } from "./files.ts";
import type { EvalWorld } from "./world.ts";

/** Writers are Claude, GPT and DeepSeek; this policy asks Gemini. */
const policy = "seo_claim_judge";
const name = "eval_pair";

const answerSchema = z.object({ better: z.enum(["first", "second", "same"]), reason: z.string() });

export interface Pair {
  readonly brief: EvalBrief;
  readonly now: string;
  readonly before: string;
}

export interface PairFigures {
  readonly wins: number;
  readonly losses: number;
  /** No difference, or another answer in the other order. */
  readonly undecided: number;
  /** The judge did not answer. */
  readonly unjudged: number;
}

/** Has a judge compare each text with the one of an earlier run, in both orders: only what it says twice counts. */
export async function judgePairs(world: EvalWorld, pairs: readonly Pair[]): Promise<PairFigures> {
  const { gateway, workspaceId, deps } = world;
  await gateway.ensure(workspaceId);
  const body = readFileSync(ownFiles("pair-judge.yaml"), "utf8");
  await savePrompt(deps, workspaceId, { name, body, activate: true }, { operator: "eval" });
  const figures = { wins: 0, losses: 0, undecided: 0, unjudged: 0 };
  for (const { brief, now, before } of pairs) {
    const ask = async (first: string, second: string) => {
      const { company, specialization, city, phrase } = brief;
      const data = { company, specialization, city, phrase, first, second };
      const asked = { workspaceId, policy, prompt: { name, data } };
      const answered = await gateway.object({ ...asked, schema: answerSchema, schemaName: "eval_pair" });
      return answered.ok ? answered.object.better : undefined;
    };
    const [one, other] = [await ask(now, before), await ask(before, now)];
    if (one === undefined || other === undefined) figures.unjudged += 1;
    else if (one === "first" && other === "second") figures.wins += 1;
    else if (one === "second" && other === "first") figures.losses += 1;
    else figures.undecided += 1;
  }
  return figures;
}
