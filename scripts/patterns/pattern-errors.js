// Why a pattern takes more than linear time: the same text can be matched in many ways (backtracking), or a failed match starts
// again at every character (many beginnings).
import { RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";
import {
  Chars,
  getConsumedChars,
  getFirstConsumedChar,
  hasSomeDescendant,
  isPotentiallyZeroLength,
  toUnicodeSet,
} from "regexp-ast-analysis";
import { analyse } from "scslre";

/** A repetition of at least this many counts as unlimited: fewer are a constant factor. */
const many = 500;

const reader = new RegExpParser();

/** Every error in one pattern, as sentences. */
export function errorsOf(regexp) {
  const { pattern, flags } = reader.parseLiteral(String(regexp));
  const endless = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter: (node) => {
      if (node.max >= many) endless.push(node);
    },
  });
  const errors = new Set(analyse({ pattern, flags }).reports.map(described));
  for (const repetition of endless) {
    if (!tailCannotFail(repetition, flags) && hasLikeAlternatives(repetition, flags))
      errors.add(`${repetition.raw} repeats alternatives that begin alike, so that a text has many readings`);
    if (isBegunAgain(repetition, flags))
      errors.add(`a match that fails after ${repetition.raw} is begun again at every character of its text`);
  }
  return [...errors];
}

function described({ type, exponential, quant, startQuant }) {
  const where = (quant ?? startQuant).raw;
  const how = type === "Move" ? "a match that fails after" : "a text has many readings because of";
  return `${how} ${where}${type === "Move" ? " is begun again at every character of its text" : ""}${exponential ? " (exponential)" : ""}`;
}

function hasLikeAlternatives({ element }, flags) {
  if (!("alternatives" in element)) return false;
  const firsts = element.alternatives.map((each) => getFirstConsumedChar(each, "ltr", flags).char);
  return firsts.some((first, index) => firsts.slice(index + 1).some((other) => !first.isDisjointWith(other)));
}

/**
 * `x[^y]*y` on "xxxx…": each x starts a run to the end of the text. Not if what precedes the repetition cannot occur inside it,
 * if the match is anchored to the beginning of the text, or if nothing after the repetition can fail.
 */
function isBegunAgain(repetition, flags) {
  const inside = getConsumedChars(repetition, flags).chars;
  for (const { node, before } of placesOf(repetition)) {
    if (node.type === "Assertion" && node.kind === "lookbehind") return true;
    if (before.some((each) => holdsApart(each, inside, flags))) return false;
  }
  return !tailCannotFail(repetition, flags);
}

/** Whether the match succeeds wherever the repetition ends. */
function tailCannotFail(repetition, flags) {
  const inside = getConsumedChars(repetition, flags).chars;
  return placesOf(repetition).every(
    ({ node, after }) => node.type !== "Assertion" && cannotFail(after, inside, flags),
  );
}

/** The element and its ancestors, with what precedes and follows each in its own sequence. */
function placesOf(element) {
  const places = [];
  for (let node = element; node.type !== "Pattern"; node = node.parent) {
    const { elements = [] } = node.parent;
    const place = elements.indexOf(node);
    places.push({ node, before: elements.slice(0, Math.max(place, 0)), after: elements.slice(place + 1) });
  }
  return places;
}

/** Whether this must be matched and cannot occur inside the repetition. */
function holdsApart(element, inside, flags) {
  switch (element.type) {
    case "Assertion":
      return isApart(element, inside, flags);
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return setOf(element, flags).isDisjointWith(inside);
    case "Quantifier":
      return element.min > 0 && holdsApart(element.element, inside, flags);
    case "Group":
    case "CapturingGroup":
      return element.alternatives.every(({ elements }) =>
        elements.some((each) => holdsApart(each, inside, flags)),
      );
    default:
      return false;
  }
}

/** The beginning of a text or line, or `(?<!x)` before `x*`: a match cannot start inside the repetition. */
function isApart(assertion, inside, flags) {
  if (assertion.kind === "start")
    return !flags.multiline || inside.isDisjointWith(Chars.lineTerminator(flags));
  if (assertion.kind !== "lookbehind" || !assertion.negate) return false;
  return assertion.alternatives.some(
    ({ elements: [only, ...others] }) =>
      others.length === 0 && only?.type.startsWith("Character") && inside.isSubsetOf(setOf(only, flags)),
  );
}

/** Whether what follows a repetition is matched wherever the repetition ends. */
function cannotFail(elements, inside, flags) {
  return elements.every(
    (element) =>
      (isPotentiallyZeroLength(element, flags) &&
        !hasSomeDescendant(element, ({ type }) => type === "Assertion")) ||
      endsAnyRun(element, inside, flags),
  );
}

/** `(?:>|$)` after `[^>]*`: the run ends at one or the other. */
function endsAnyRun(element, inside, flags) {
  if (element.type !== "Group" && element.type !== "CapturingGroup") return false;
  const single = element.alternatives.flatMap(({ elements }) => (elements.length === 1 ? elements : []));
  if (flags.multiline || !single.some(({ type, kind }) => type === "Assertion" && kind === "end"))
    return false;
  return single
    .filter(({ type }) => type.startsWith("Character"))
    .reduce((all, each) => all.union(setOf(each, flags)), inside).isAll;
}

function setOf(element, flags) {
  return toUnicodeSet(element, flags).chars;
}
