import { SeoProblem } from "../problems.ts";
import type { Said } from "../said.ts";
import { type Cluster, type Phrase, phraseKey, withPhrases } from "./clusters.ts";

/** A file of one's own phrases: one on each line. */
export const keywordFileLimits = { bytes: 1024 * 1024, phrases: 500, phraseLength: 100 } as const;

export const keywordFileFault: Said = {
  ru: "Загрузите TXT-файл (UTF-8), одна фраза на строку. Макс. 500 фраз, 1 МБ",
  en: "Give a text file in UTF-8 with one phrase on each line: at most 500 phrases and 1 MB",
};

/** Reads the phrases of a file, without repeats and empty lines. */
export function readKeywordFile(bytes: Uint8Array): string[] {
  const { phrases: most, bytes: largest, phraseLength } = keywordFileLimits;
  const text = bytes.length <= largest ? decoded(bytes) : undefined;
  if (text === undefined || /[^\P{Cc}\n\r\t]/u.test(text))
    throw new SeoProblem("file_refused", keywordFileFault);
  const lines = text.split(/\r\n|[\n\r]/).map((line, index) => ({ phrase: line.trim(), number: index + 1 }));
  const long = lines.find(({ phrase }) => phrase.length > phraseLength);
  if (long)
    throw new SeoProblem("file_refused", {
      ru: `Строка ${long.number} длиннее ${phraseLength} символов. ${keywordFileFault.ru}`,
      en: `Line ${long.number} is longer than ${phraseLength} characters. ${keywordFileFault.en}`,
    });
  const phrases = new Map(
    lines.filter(({ phrase }) => phrase !== "").map(({ phrase }) => [phraseKey(phrase), phrase]),
  );
  if (phrases.size === 0 || phrases.size > most) throw new SeoProblem("file_refused", keywordFileFault);
  return [...phrases.values()];
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** What is known of uploaded phrases: figures if the source of data answered, clusters if the model did. */
export interface Learnt {
  readonly figures?: readonly Phrase[] | undefined;
  readonly clusters?: readonly Cluster[] | undefined;
}

export interface Arranged {
  readonly clusters: readonly Cluster[];
  /** Kept as a flat list, which has neither clusters nor figures. */
  readonly isFlat: boolean;
  readonly warning?: Said;
}

/**
 * How uploaded phrases are kept: in the model's clusters; in one cluster with the category's name if the model failed; as a
 * flat list if there are no figures.
 */
export function arrange(
  phrases: readonly string[],
  categoryName: string,
  { figures, clusters }: Learnt,
): Arranged {
  if (!figures) {
    const warning = { ru: "Данные без объёмов поиска", en: "The phrases have no search volumes" };
    return { clusters: phrases.map((phrase) => alone(bare(phrase))), isFlat: true, warning };
  }
  if (clusters && clusters.length > 0) return { clusters, isFlat: false };
  const known = new Map(figures.map((each) => [phraseKey(each.phrase), each]));
  const all = phrases.map((phrase) => known.get(phraseKey(phrase)) ?? bare(phrase));
  const whole = { ...alone(bare(categoryName)), main_phrase: "" };
  return { clusters: [withPhrases(whole, all)], isFlat: false };
}

const bare = (phrase: string): Phrase => ({
  ...{ phrase, volume: null, difficulty: null, cpc: null, intent: null, ai_suggested: false },
});

const alone = (phrase: Phrase): Cluster => ({
  cluster_name: phrase.phrase,
  cluster_type: "article",
  main_phrase: phrase.phrase,
  total_volume: phrase.volume,
  avg_difficulty: phrase.difficulty,
  phrases: [phrase],
});
