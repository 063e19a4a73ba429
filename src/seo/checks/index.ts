/** Checks of a text before it is published: form, limits, made-up facts, likeness to other texts. */
export {
  checkFabricated,
  fabricatedPrices,
  foreignPhones,
  unsourcedClaims,
  type VerifiedFacts,
} from "./facts.ts";
export type { Finding } from "./finding.ts";
export { type Footprint, footprintOf, type PublishedPost } from "./footprint.ts";
export { foreignWords } from "./foreign-words.ts";
export { contentLimits, type Destination } from "./limits.ts";
export { madeUpIn, type OwnData } from "./made-up.ts";
export { placeholdersIn } from "./placeholders.ts";
export { type Containment, copiedFrom, copiedSentences, mostCopied } from "./shingles.ts";
export { hammingDistance, isNearDuplicate, nearDuplicate, simHash } from "./simhash.ts";
export { type ContentToValidate, type Validation, validateContent } from "./validate-content.ts";
