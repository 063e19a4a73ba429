import type { StyleFeatures, StyleGuide } from "./guide.ts";

/** Signs by which templates of ours and of others know their places. */
const templateMarks = /<<|>>|<%|%>|<#|#>|\{\{|\}\}|\{%|%\}/g;
const longestLine = 300;

/** The guide as prompts have it (`style_guide`): Russian, short, in the user part only. What people wrote has no template marks left. */
export function guideText({ features, description }: Pick<StyleGuide, "features" | "description">): string {
  const lines = [
    `Обращение к читателю: ${features.address === "none" ? "не используется" : `на «${features.address}»`}. «Мы»: ${often(features.we)}.`,
    `Предложения: в среднем ${features.sentence_words} слова, разброс длины ${features.sentence_variation}. Абзацы: около ${Math.round(features.paragraph_words)} слов.`,
    `Вопросы: ${percent(features.questions)} предложений. Восклицания: ${percent(features.exclamations)}. Списки: ${percent(features.lists)} слов. Эмодзи: ${often(features.emoji)}.`,
    `Тон: ${tones[features.tone]}.${description ? ` ${plain(description.tone)}` : ""}`,
    ...listed("Любимые слова", [...(description?.vocabulary ?? []), ...features.favourite_words], 15),
    ...listed("Автор не делает", description?.avoid ?? [], 8),
    ...listed("Построение", description?.structure ?? [], 6),
    ...listed(
      "Так пишет автор",
      (description?.sample_sentences ?? []).map((each) => `«${each}»`),
      5,
    ),
  ];
  return lines.join("\n");
}

const tones: Readonly<Record<StyleFeatures["tone"], string>> = {
  colloquial: "разговорный",
  neutral: "нейтральный",
  bookish: "книжный",
};

const often = (perHundred: number) =>
  perHundred === 0 ? "нет" : perHundred < 0.5 ? "изредка" : `${perHundred} на 100 слов`;
const percent = (share: number) => `${Math.round(share * 100)} %`;

function listed(name: string, items: readonly string[], most: number): string[] {
  const known = [...new Set(items.map(plain))].filter((item) => item !== "" && item !== "«»");
  return known.length > 0 ? [`${name}: ${known.slice(0, most).join("; ")}.`] : [];
}

function plain(text: string): string {
  const line = text
    .slice(0, longestLine * 2)
    .replace(templateMarks, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return [...line].slice(0, longestLine).join("");
}
