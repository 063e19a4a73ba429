/**
 * The claim ledger: every sentence with a number, a date, a name or a reference to research rests on a stored source and a
 * verbatim quote, or it goes. See docs/reference/seo-claims.md.
 *
 * @example
 * const { verdicts } = await checkClaims({ markdown, claims, sources, company: "Окно под ключ — 12 000 ₽", judge });
 * const again = rewriteRequests(verdicts); // hand back once; then
 * const safe = applyVerdicts(markdown, verdicts);
 */
export { applyVerdicts, cutSentences, failedPlaces } from "./apply-verdicts.ts";
export { type Claim, companyId, type FailReason, failReasons, type Source } from "./check-claim.ts";
export { type Checkable, type ClaimKind, checkableIn, claimKinds } from "./checkable.ts";
export {
  checkClaims,
  type Judge,
  type JudgeAnswer,
  judgeClaims,
  type Ledger,
  type LedgerInput,
  rewriteRequests,
  type Verdict,
} from "./ledger.ts";
export { type Quantity, quantitiesIn } from "./quantities.ts";
