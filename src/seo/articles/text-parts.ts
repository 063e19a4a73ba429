import type { Section } from "../pictures/plan-pictures.ts";

/** Parts of an article's Markdown. All of it is pure. */

/** The model writes no addresses: a link keeps its words, a bare address goes. */
export function withoutAddresses(markdown: string): string {
  return markdown
    .replace(/\[([^\][\n]{0,300})\]\([^()\n]{0,1000}\)/g, "$1")
    .replace(/(?:https?:\/\/|www\.)[^\s<>()[\]]{1,1000}/gi, "");
}

/** The questions as a section before the last one, which sums up; those that stand in the text already are not repeated. */
export function withQuestions(
  markdown: string,
  questions: readonly { readonly question: string; readonly answer: string }[],
): string {
  const low = markdown.toLowerCase();
  const missing = questions.filter(
    ({ question, answer }) =>
      question.trim() !== "" && answer.trim() !== "" && !low.includes(question.trim().toLowerCase()),
  );
  if (missing.length === 0) return markdown;
  const section = [
    "## Частые вопросы",
    ...missing.flatMap(({ question, answer }) => [`### ${oneLine(question)}`, oneLine(answer)]),
  ].join("\n\n");
  const last = markdown.lastIndexOf("\n## ");
  return last < 0
    ? `${markdown.trimEnd()}\n\n${section}\n`
    : `${markdown.slice(0, last).trimEnd()}\n\n${section}\n\n${markdown.slice(last + 1)}`;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** The sections under headings of the second level; the beginning of a text without them is none. */
export function sectionsOf(markdown: string): Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = "", ...lines] = part.split("\n");
      return {
        heading: heading.trim(),
        text: lines
          .join("\n")
          .replace(/\{\{IMAGE_\d{1,3}\}\}/g, "")
          .trim(),
      };
    })
    .filter(({ heading }) => !/^частые вопросы/i.test(heading));
}
