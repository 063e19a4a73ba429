/** What the owner of a business told about a category when a plan asked: facts that only this business has. */
import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { sentencesOf } from "../language/index.ts";
import type { Whose } from "../people/whose.ts";
import { notFound, SeoProblem } from "../problems.ts";

export const answerLimits = { sentences: 8, characters: 1_000, kept: 3 } as const;

export const ownerAnswer = z.object({ question: z.string(), answer: z.string(), at: z.string() });
export type OwnerAnswer = z.infer<typeof ownerAnswer>;

/** The answer as it is kept; throws if it is too long to be used. */
export function readAnswer(typed: string): string {
  const answer = typed.replace(/\s+/g, " ").trim();
  const { sentences, characters } = answerLimits;
  const isFine = answer.length >= 2 && answer.length <= characters && sentencesOf(answer).length <= sentences;
  if (isFine) return answer;
  throw new SeoProblem(
    "value_refused",
    {
      ru: `Ответьте коротко: не больше ${sentences} предложений и ${characters} символов.`,
      en: `Answer in at most ${sentences} sentences and ${characters} characters.`,
    },
    { pointers: ["/answer"] },
  );
}

export async function readAnswers(
  sql: Sql | Transaction,
  { workspaceId, userId }: Whose,
  categoryId: number,
): Promise<OwnerAnswer[]> {
  const [row] = await sql<{ owner_answers: unknown }[]>`
    select c.owner_answers
    from seo.categories c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where c.workspace_id = ${workspaceId} and c.id = ${categoryId} and p.user_id = ${userId}`;
  if (!row) throw notFound("category", categoryId);
  return z.array(ownerAnswer).parse(row.owner_answers);
}

/** Keeps the answer in the place of an earlier one to the same question; of all, the newest three. */
export async function addAnswer(
  tx: Transaction,
  whose: Whose,
  categoryId: number,
  added: OwnerAnswer,
): Promise<void> {
  await tx`
    select from seo.categories where workspace_id = ${whose.workspaceId} and id = ${categoryId} for no key update`;
  const known = await readAnswers(tx, whose, categoryId);
  const others = known.filter(({ question }) => question === "" || question !== added.question);
  const answers = [...others, added].slice(-answerLimits.kept);
  await tx`
    update seo.categories set owner_answers = ${JSON.stringify(answers)}::text::jsonb
    where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
}

/** The owner takes back what was told. */
export async function forgetAnswers(tx: Transaction, whose: Whose, categoryId: number): Promise<void> {
  await tx`
    update seo.categories set owner_answers = '[]'
    where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
}
