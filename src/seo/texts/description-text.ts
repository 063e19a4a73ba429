/** A model's answer as the description of a category. All of it is pure. */
import { placeholdersIn } from "../checks/index.ts";
import { countWords, sentencesOf } from "../language/index.ts";

export const descriptionLength = { leastWords: 100, mostWords: 300, characters: 4_000 } as const;

/** The text without mark-up, whole sentences of at most 300 words; undefined if it cannot be used. */
export function descriptionFrom(answer: string): string | undefined {
  const text = shortened(paragraphsOf(answer)).join("\n\n");
  const fits = countWords(text) >= descriptionLength.leastWords && placeholdersIn(text).length === 0;
  return fits ? text : undefined;
}

/** Headings and fences are left out, signs of lists and emphasis removed. */
function paragraphsOf(answer: string): string[] {
  return answer
    .split(/\r\n|[\n\r]/)
    .map((line) => line.trim())
    .filter((line) => !/^(?:#{1,6}\s|```)/.test(line))
    .map((line) =>
      line
        .replace(/^(?:[-*•]|\d{1,2}[.)])\s/, "")
        .replaceAll("**", "")
        .replaceAll("__", "")
        .trim(),
    )
    .filter((line) => line !== "");
}

/** Never ends within a sentence, also if the model was cut off. */
function shortened(paragraphs: readonly string[]): string[] {
  const { mostWords, characters } = descriptionLength;
  let [words, length] = [0, 0];
  const kept: string[] = [];
  for (const paragraph of paragraphs) {
    const sentences = sentencesOf(paragraph).filter(({ text }) => /[.!?…]["'»”’)\]]*$/.test(text));
    const fitting: string[] = [];
    for (const sentence of sentences) {
      words += sentence.words.length;
      length += sentence.text.length + 2;
      if (words > mostWords || length > characters) return [...kept, ...joined(fitting)];
      fitting.push(sentence.text);
    }
    kept.push(...joined(fitting));
  }
  return kept;
}

const joined = (sentences: readonly string[]) => (sentences.length > 0 ? [sentences.join(" ")] : []);
