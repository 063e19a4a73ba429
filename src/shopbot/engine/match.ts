import type { Message } from "../model/message.ts";
import type { Rule } from "../model/rule.ts";
import { plain, standsIn } from "./plain.ts";

export type Match =
  | { readonly kind: "rule"; readonly rule: Rule }
  /** A button that leads nowhere any more, or never did. */
  | { readonly kind: "stale" }
  | { readonly kind: "none" };

/** Which rule speaks: those that interrupt, then those of the state, then the rest. Rules come sorted by `inOrder`. */
export function match(rules: readonly Rule[], state: string, message: Message): Match {
  const rule =
    message.kind === "press"
      ? pressed(rules, state, message.press ?? "")
      : message.kind === "start"
        ? rules.find(({ event }) => event === "start")
        : said(rules, state, message);
  if (rule) return { kind: "rule", rule };
  return { kind: message.kind === "press" ? "stale" : "none" };
}

/** The lowest priority first, then the newest; the name decides what is left, so that the order never depends on chance. */
export function inOrder(rules: readonly Rule[]): Rule[] {
  return rules.toSorted(
    (one, other) =>
      one.priority - other.priority ||
      other.createdAt.getTime() - one.createdAt.getTime() ||
      one.id.localeCompare(other.id),
  );
}

export const pressOf = (ruleId: string) => `rule:${ruleId}`;

/** The buttons that lead somewhere from this state; others would only say that they no longer work. */
export function usable(buttons: Rule["buttons"], rules: readonly Rule[], state: string): Rule["buttons"] {
  return buttons
    .map((row) =>
      row.filter((each) => "url" in each || pressed(rules, state, pressOf(each.press)) !== undefined),
    )
    .filter((row) => row.length > 0);
}

function pressed(rules: readonly Rule[], state: string, press: string): Rule | undefined {
  return rules.find((rule) => pressOf(rule.id) === press && (rule.state === null || rule.state === state));
}

function said(rules: readonly Rule[], state: string, { text, attachments }: Message): Rule | undefined {
  const words = plain(text);
  const named = (rule: Rule) => standsIn(words, rule.keywords) !== undefined;
  const faq = rules.filter((rule) => rule.state === null && !rule.interrupts);
  return (
    rules.find((rule) => rule.interrupts && (rule.state === null || rule.state === state) && named(rule)) ??
    rules.find((rule) => rule.state === state && (named(rule) || takesAnything(rule, text))) ??
    faq.find(named) ??
    (text.trim() === "" && attachments.length > 0
      ? rules.find((rule) => rule.event === "attachment")
      : undefined)
  );
}

/** A rule of a state without keywords takes every word; one that asks for something also says what is wrong with a photo. */
function takesAnything({ keywords, accepts }: Rule, text: string): boolean {
  return keywords.length === 0 && (text.trim() !== "" || accepts !== null);
}
