import { z } from "zod";
import { plain } from "../engine/keywords.ts";

export interface Question {
  readonly text: string;
  readonly chatId: string;
  readonly at: Date;
}

/** Questions with similar words. */
export const questionGroup = z.object({
  example: z.string().describe("The question that has most in common with the others"),
  count: z.int(),
  chats: z.int(),
  words: z.array(z.string()).describe("Words that most of them share: candidates for keywords"),
  last_at: z.date(),
  examples: z.array(z.string()),
});
export type QuestionGroup = z.output<typeof questionGroup>;

/** Questions are similar if they share at least half of their words (Dice's coefficient). */
const alike = 0.5;
/** Russian words are inflected at the end. */
const stemLength = 5;

/** Groups questions by shared words, most frequent first. */
export function groupSimilar(questions: readonly Question[]): QuestionGroup[] {
  const groups: { stems: ReadonlySet<string>; members: Question[] }[] = [];
  for (const question of questions) {
    const stems = stemsOf(question.text);
    const best = groups
      .map((group) => ({ group, likeness: likeness(stems, group.stems) }))
      .reduce<{ group: (typeof groups)[number]; likeness: number } | undefined>(
        (most, each) => (each.likeness > (most?.likeness ?? 0) ? each : most),
        undefined,
      );
    if (best && best.likeness >= alike) best.group.members.push(question);
    else groups.push({ stems, members: [question] });
  }
  return groups
    .map(({ members }) => summaryOf(members))
    .sort((one, other) => other.count - one.count || other.last_at.getTime() - one.last_at.getTime());
}

function stemsOf(text: string): ReadonlySet<string> {
  const words = plain(text).match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  // A text without words is compared as a whole.
  return new Set(words.length > 0 ? words.map((word) => word.slice(0, stemLength)) : [plain(text)]);
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  return (2 * shared) / (one.size + other.size);
}

function summaryOf(members: readonly Question[]): QuestionGroup {
  const counts = new Map<string, number>();
  for (const { text } of members)
    for (const stem of stemsOf(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const texts = [...new Set(members.map(({ text }) => text))];
  const common = (text: string) =>
    [...stemsOf(text)].reduce((sum, stem) => sum + (counts.get(stem) ?? 0), 0) / stemsOf(text).size;
  return {
    example: texts.reduce((best, text) => (common(text) > common(best) ? text : best)),
    count: members.length,
    chats: new Set(members.map(({ chatId }) => chatId)).size,
    words: [...counts]
      .filter(([, count]) => count * 2 > members.length)
      .sort(([, one], [, other]) => other - one)
      .map(([stem]) => stem)
      .slice(0, 5),
    last_at: new Date(Math.max(...members.map(({ at }) => at.getTime()))),
    examples: texts.slice(0, 5),
  };
}
