/** What a person decides about a description or reviews: save them, or have them written anew. Cancelling is `runs.cancel`. */
import { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import { readReviews } from "../categories/lists.ts";
import { reviewLimit } from "../categories/shape.ts";
import { tokensInRussian } from "../orders/token-words.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";
import { type RunDetail, readRun } from "../runs/read-runs.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { descriptionKind, descriptionResult } from "./description-run.ts";
import { chargeOf, reviewedText } from "./reviewed-text.ts";
import { reviewsKind, reviewsResult } from "./reviews-run.ts";

export const textKinds = [descriptionKind, reviewsKind] as const;

export const savedSchema = z
  .object({
    run_id: z.string(),
    kind: z.enum(textKinds),
    category_id: z.int(),
    tokens: z.int().describe("What it cost"),
  })
  .meta({ id: "SeoSavedText" });
export type SavedText = z.infer<typeof savedSchema>;

/** Writes the text into its category and settles its tokens. */
export async function saveText(deps: OrderDeps, whose: Whose, runId: string): Promise<SavedText> {
  const run = await readText(deps, whose, runId);
  const { category_id } = reviewedText.parse(run.result);
  const { workspaceId } = whose;
  const write =
    run.kind === descriptionKind
      ? keepDescription(whose, descriptionResult.parse(run.result))
      : keepReviews(whose, reviewsResult.parse(run.result));
  if (!(await deps.runs.take({ workspaceId, runId }, "saved", write))) throw decided();
  return { run_id: runId, kind: run.kind, category_id, tokens: run.tokens };
}

export interface RegeneratedText {
  readonly run_id: string;
  /** Held for it; none for the first two. */
  readonly tokens: number;
}

/** Has the text written anew: twice for nothing, then for the price of the first time. */
export async function regenerateText(deps: OrderDeps, whose: Whose, runId: string): Promise<RegeneratedText> {
  const run = await readText(deps, whose, runId);
  const { regenerations } = reviewedText.parse(run.result);
  const [first] = run.receipt.filter(({ step }) => step === chargeOf(run.kind, 0));
  const isFree =
    regenerations < deps.runs.rules.freeRegenerations || deps.admins.includes(whose.userId) || !first;
  const charges = isFree
    ? []
    : [
        {
          step: chargeOf(run.kind, run.round + 1),
          operation: first.operation,
          tokens: first.charged,
          note: `regeneration ${regenerations + 1}`,
        },
      ];
  const begun = await deps.runs.regenerate({ ...whose, runId }, charges);
  if (begun.ok) return { run_id: runId, tokens: isFree ? 0 : first.charged };
  if (begun.reason === "not_reviewed") throw decided();
  throw new SeoProblem("too_few_tokens", {
    ru: `Перегенерация стоит ~${tokensInRussian(begun.needed)}, у вас ${begun.balance}. Пополните баланс или сохраните текущий текст.`,
    en: `Writing it anew costs ${begun.needed} tokens, there are ${begun.balance}. Top up, or save the text as it is.`,
  });
}

async function readText({ sql }: OrderDeps, { workspaceId, userId }: Whose, runId: string) {
  const run = await readRun(sql, workspaceId, runId, userId);
  const kind = textKinds.find((each) => each === run.kind);
  if (!kind) throw notFound("text", runId);
  if (run.status !== "review")
    throw run.status === "queued" || run.status === "running" ? early() : decided();
  return { ...run, kind } satisfies RunDetail;
}

const decided = () =>
  new SeoProblem("text_not_reviewed", {
    ru: "Этот текст уже сохранён или отменён. Закажите новый.",
    en: "This text was decided on already. Order another one.",
  });
const early = () =>
  new SeoProblem("text_not_reviewed", {
    ru: "Текст ещё пишется. Дождитесь его.",
    en: "The text is still being written. Wait for it.",
  });

const keepDescription =
  ({ workspaceId, userId }: Whose, { category_id, text }: z.infer<typeof descriptionResult>) =>
  async (tx: Transaction) => {
    const kept = await tx`
      update seo.categories c set description = ${text}
      from seo.projects p
      where c.workspace_id = ${workspaceId} and c.id = ${category_id}
        and p.workspace_id = c.workspace_id and p.id = c.project_id and p.user_id = ${userId}
      returning c.id`;
    if (kept.length === 0) throw notFound("category", category_id);
  };

/** Behind those that are there. */
const keepReviews =
  (whose: Whose, { category_id, reviews }: z.infer<typeof reviewsResult>) =>
  async (tx: Transaction) => {
    await tx`
      select from seo.categories where workspace_id = ${whose.workspaceId} and id = ${category_id} for no key update`;
    const all = [...(await readReviews(tx, whose, category_id)), ...reviews];
    if (all.length > reviewLimit)
      throw new SeoProblem("value_refused", {
        ru: `В категории может быть не больше ${reviewLimit} отзывов. Удалите лишние и сохраните снова.`,
        en: `A category holds at most ${reviewLimit} reviews: remove some, then save again.`,
      });
    await tx`
      update seo.categories set reviews = ${JSON.stringify(all)}::text::jsonb
      where workspace_id = ${whose.workspaceId} and id = ${category_id}`;
  };
