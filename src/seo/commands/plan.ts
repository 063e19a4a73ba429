import type { Command } from "commander";
import { facts, type Terminal } from "../../terminal/index.ts";
import { orderPlan } from "../articles/order-plan.ts";
import { planResult } from "../articles/plan-shape.ts";
import type { RunDetail } from "../runs/read-runs.ts";
import { idIn } from "./for-person.ts";
import { type OrderOptions, orderAndPrint, ordering } from "./ordering.ts";
import { readableAddress } from "./readable-address.ts";

interface PlanOptions extends OrderOptions {
  readonly answer?: string;
  readonly forgetAnswers?: boolean;
  readonly connection?: number;
  readonly phrase?: string;
}

/** `molva seo article plan`. */
export function addPlan(parent: Command, terminal: Terminal): void {
  ordering(parent, "plan", "plan an article for nothing: questions, gaps, sources, own facts, tokens")
    .argument("<category>", "its number", idIn)
    .option("--connection <id>", "the site it is for", idIn)
    .option("--phrase <phrase>", "a main phrase of the category, instead of the next one in turn")
    .option("--answer <text>", "the owner's answer to the question of the last plan: at most 8 sentences")
    .option("--forget-answers", "what was answered before is not used any more")
    .action((id: number, options: PlanOptions) =>
      orderAndPrint(
        terminal,
        options,
        (deps, whose) =>
          orderPlan(deps, deps.kinds.plan, whose, id, {
            ...{ connectionId: options.connection, phrase: options.phrase, answer: options.answer },
            forgetAnswers: options.forgetAnswers,
          }),
        planText,
      ),
    );
}

function planText(run: RunDetail): string {
  const plan = planResult.parse(run.result);
  const write = `molva seo article write ${plan.category_id} --plan ${run.run_id.slice(0, 13)} --user ${run.user_id}`;
  const lines = facts([
    ["phrase", plan.phrase],
    ["angle", plan.angle],
    ...plan.titles.map((title) => ["title", title] as const),
    ...plan.readers.map(({ reader, questions }) => ["asks", `${reader}: ${questions.join(" ")}`] as const),
    ...plan.gaps.map((gap) => ["gap", gap] as const),
    ...plan.sources.map(({ title, url }) => ["source", `${title} (${readableAddress(url)})`] as const),
    ...plan.own_facts.map((fact) => ["own fact", fact] as const),
    ...plan.common_facts.map((fact) => ["anybody's", fact] as const),
    ["tokens", `about ${plan.tokens.about}, at most ${plan.tokens.to}`],
    ...plan.warnings.map(({ message }) => ["warning", message.en] as const),
    ["question", plan.question?.ru],
  ]);
  const next = plan.question
    ? `Answer it: molva seo article plan ${plan.category_id} --answer "..." --user ${run.user_id}\nOr write it: ${write}`
    : `Write it: ${write}`;
  return `${lines}\n\n${next}`;
}
