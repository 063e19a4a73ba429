/** Russian text as a machine counts it: words, sentences, syllables, lemmas, phrases in any form, numbers with units. */
export { type Language, loadLanguage } from "./az-morphology.ts";
export { functionWords } from "./function-words.ts";
export { type Lemmas, remembered, stem } from "./lemmas.ts";
export { meaningOf } from "./meaning.ts";
export { createMorphology, type Morphology, stemMorphology, type WordReading } from "./morphology.ts";
export { findPhrase, type KeyedWord, type Occurrence, type Phrase, phraseOf } from "./phrases.ts";
export { folded, plainly } from "./plain.ts";
export { type Quantity, quantitiesOf } from "./quantities.ts";
export { type Sentence, type Span, sentenceSpans, sentencesOf } from "./sentences.ts";
export { stemOf } from "./stem.ts";
export { isStopWord } from "./stop-words.ts";
export { syllablesOf } from "./syllables.ts";
export {
  countWords,
  isNumber,
  type Word,
  type WrittenWord,
  wordParts,
  wordsOf,
  writtenWords,
} from "./words.ts";
