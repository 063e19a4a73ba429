import type { Root } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { isHeading, levelOf } from "./headings.ts";
import { isElement } from "./html.ts";
import type { Question } from "./json-ld.ts";

const mostQuestions = 10;

/**
 * Questions for structured data. Search engines accept only what readers see, so a question of the model that does not stand in
 * the text is left out; without any, the questions are read from the text: headings that ask, with what follows them.
 */
export function shownQuestions(tree: Root, given: readonly Partial<Question>[]): Question[] {
  const page = lettersOf(textOf(tree));
  const seen = new Set<string>();
  const fromModel = given.flatMap(({ question, answer }) => {
    const asked = { question: line(question), answer: line(answer) };
    const letters = lettersOf(asked.question);
    if (letters === "" || asked.answer === "" || seen.has(letters) || !page.includes(letters)) return [];
    seen.add(letters);
    return [asked];
  });
  return (fromModel.length > 0 ? fromModel : askedIn(tree)).slice(0, mostQuestions);
}

/** Headings below a section that end with a question mark, and the paragraphs under them. */
function askedIn(tree: Root): Question[] {
  const questions: { question: string; answer: string; level: number }[] = [];
  let open = false;
  for (const node of tree.children) {
    if (isHeading(node)) {
      const question = line(textOf(node));
      open = levelOf(node) > 2 && question.endsWith("?");
      if (open) questions.push({ question, answer: "", level: levelOf(node) });
      continue;
    }
    const last = questions.at(-1);
    if (open && last && isElement(node, "p", "ul", "ol"))
      last.answer = line(`${last.answer} ${textOf(node)}`);
  }
  return questions.flatMap(({ question, answer }) => (answer === "" ? [] : [{ question, answer }]));
}

function line(text: unknown): string {
  return typeof text === "string" ? text.toWellFormed().replace(/\s+/g, " ").trim() : "";
}

function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}
