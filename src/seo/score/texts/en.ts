import { counted } from "../../../kernel/words/index.ts";
import type { Verdict } from "../checks.ts";
import { figures } from "../points.ts";
import type { Explain } from "./explanation.ts";

const where = (found: Verdict["found"]) =>
  found.where === "phrase"
    ? "the phrase is there"
    : found.where === "words"
      ? "its words are there, but apart"
      : "the phrase is missing";

export const explainEn: Explain = {
  phraseInTitle: (found) => ({
    label: "phrase in the title",
    found: where(found),
    wanted: `“${found.phrase}” in the title, in any form`,
    change: `Put “${found.phrase}” into the title, near its beginning.`,
  }),
  phraseInFirstParagraph: (found) => ({
    label: "phrase in the first paragraph",
    found: where(found),
    wanted: `“${found.phrase}” in the first paragraph`,
    change: `Name the subject in the first paragraph by “${found.phrase}”.`,
  }),
  phraseInHeadings: ({ phrase, found, h2 }) => ({
    label: "phrase in headings",
    found: `in ${found} of ${h2} H2`,
    wanted: "in 1–3 H2",
    change: Number(found) === 0 ? `Put “${phrase}” into one H2.` : `Take “${phrase}” out of some H2.`,
  }),
  phraseInConclusion: (found) => ({
    label: "phrase in the conclusion",
    found: where(found),
    wanted: `“${found.phrase}” in the last section`,
    change: `End with a conclusion that says “${found.phrase}”.`,
  }),
  density: ({ phrase, occurrences, density }) => ({
    label: "density of the phrase",
    found: `${counted(Number(occurrences), { one: "time", other: "times" }, "en")}, ${density}% of the words`,
    wanted: `${figures.density.low}–${figures.density.high}%, all forms counted`,
    change:
      Number(density) > figures.density.high
        ? `Remove some repetitions of “${phrase}”: use a pronoun or rebuild the sentence.`
        : `Mention “${phrase}” more often where it is natural.`,
  }),
  secondary: ({ covered, asked, missing }) => ({
    label: "secondary phrases",
    found: Number(asked) === 0 ? "none given" : `${covered} of ${asked}`,
    wanted: "all, in any form",
    change: `Cover: ${missing || "there is no text"}.`,
  }),
  metaDescription: ({ length }) => ({
    label: "meta description",
    found: `${length} characters`,
    wanted: `${figures.meta.min}–${figures.meta.max} characters`,
    change:
      Number(length) === 0
        ? "Write a description: what the text is about and why to open it."
        : Number(length) < figures.meta.min
          ? "Add a benefit or a fact to the description."
          : "Shorten the description: searches cut off its end.",
  }),
  flesch: ({ flesch }) => ({
    label: "reading ease",
    found: `${flesch} by Flesch, as Oborneva adapted it`,
    wanted: `${figures.flesch.all} or more`,
    change: "Write shorter: fewer words in a sentence, fewer long words.",
  }),
  longSentences: ({ long, sentences, percent }) => ({
    label: "long sentences",
    found: `${long} of ${sentences} (${percent}%) have ${figures.longSentence.words} words or more`,
    wanted: `at most ${figures.longSentence.share.all * 100}%`,
    change: "Split the longest sentences in two.",
  }),
  longParagraphs: ({ long, longest }) => ({
    label: "long paragraphs",
    found: `${long}; the longest has ${longest} words`,
    wanted: `all below ${figures.longParagraph.words} words`,
    change: "Divide long paragraphs by thought.",
  }),
  vocabulary: ({ ratio }) => ({
    label: "vocabulary",
    found: `${ratio} different words per word`,
    wanted: `${figures.vocabulary.scale.all} or more`,
    change: "The text repeats itself: remove repetitions, add something new.",
  }),
  oneH1: ({ h1 }) => ({
    label: "one H1",
    found: `${h1}`,
    wanted: "exactly one: the title",
    change: Number(h1) === 0 ? "Give the article a title." : "Keep one H1, make the others H2.",
  }),
  h2: ({ h2, wanted }) => ({
    label: "H2 sections",
    found: `${h2}`,
    wanted: `${wanted}–${figures.h2.max}`,
    change: Number(h2) < Number(wanted) ? "Divide the text into sections with H2." : "Join small sections.",
  }),
  faq: ({ questions }) => ({
    label: "questions and answers",
    found: `${questions} questions`,
    wanted: `${figures.faq.enough} or more`,
    change: "Add a section of questions that people ask, with short answers.",
  }),
  schema: ({ types }) => ({
    label: "Schema.org",
    found: String(types) || "none",
    wanted: "Article or FAQPage",
    change: "Add JSON-LD; publishing with Molva adds it by itself.",
  }),
  internalLinks: ({ links }) => ({
    label: "internal links",
    found: `${links}`,
    wanted: `${figures.internalLinks.enough} or more`,
    change: "Link to own pages where the reader will think of them.",
  }),
  contents: ({ headings }) => ({
    label: "contents",
    found: Number(headings) < figures.contentsFrom ? "too few headings" : "none",
    wanted: `links to headings, from ${figures.contentsFrom} headings on`,
    change: "Add contents; publishing with Molva adds them by itself.",
  }),
  filler: ({ examples, perHundred }) => ({
    label: "filler",
    found: examples ? `${examples}; ${perHundred} per 100 words` : "none",
    wanted: `at most ${figures.filler.all} per 100 words`,
    change: "Replace filler with facts, or cut it.",
  }),
  markers: ({ examples, perHundred }) => ({
    label: "clichés",
    found: examples ? `${examples}; ${perHundred} per 100 words` : "none",
    wanted: `at most ${figures.markers.all} per 100 words`,
    change: "Compress: clichés go when a text is cut, not when it is extended.",
  }),
  variation: ({ variation }) => ({
    label: "rhythm of sentences",
    found: `their length varies by ${variation}`,
    wanted: `${figures.variation.all} or more`,
    change: "Let short and long sentences alternate.",
  }),
  facts: ({ facts, perHundred }) => ({
    label: "facts",
    found: `${facts} numbers with units, ${perHundred} per 100 words`,
    wanted: `${figures.facts.all} per 100 words or more`,
    change: "Add sizes, times, prices, percentages: verified ones only.",
  }),
  words: ({ words, min, max }) => ({
    label: "length",
    found: `${words} words`,
    wanted: `${min}–${max} words`,
    change:
      Number(words) < Number(min) ? "Say more: what will the reader miss?" : "Cut it down to what matters.",
  }),
  entities: ({ entities }) => ({
    label: "names",
    found: `${entities} different ones`,
    wanted: `${figures.entities.all} per 100 words or more`,
    change: "Name brands, materials, places, documents.",
  }),
  lists: ({ lists }) => ({
    label: "lists and tables",
    found: `${lists}`,
    wanted: `at least one of ${figures.listItems} items or more`,
    change: "Make an enumeration a list, or a comparison a table.",
  }),
  images: ({ described, wanted }) => ({
    label: "pictures",
    found: `${described} with a description`,
    wanted: `${wanted} or more`,
    change: "Add pictures with an alt text.",
  }),
};
