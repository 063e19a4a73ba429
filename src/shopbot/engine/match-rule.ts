import type { Message } from "../model/message.ts";
import type { Rule } from "../model/rule.ts";
import { plain, standsIn } from "./keywords.ts";

type Match =
  | { readonly kind: "rule"; readonly rule: Rule }
  /** A button whose rule does not exist or does not apply. */
  | { readonly kind: "stale" }
  | { readonly kind: "none" };

/** Finds the rule: interrupting rules first, then those of the state, then the rest. `rules` must be sorted by `inOrder`. */
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

/** Lowest priority first, then newest, then by name, so that the order is always the same. */
export function inOrder(rules: readonly Rule[]): Rule[] {
  return rules.toSorted(
    (one, other) =>
      one.priority - other.priority ||
      other.createdAt.getTime() - one.createdAt.getTime() ||
      one.id.localeCompare(other.id),
  );
}

export const pressOf = (ruleId: string) => `rule:${ruleId}`;

/** Buttons that work in this state. */
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

/** A rule of a state without keywords accepts any text; one that asks for a value also handles photos. */
function takesAnything({ keywords, accepts }: Rule, text: string): boolean {
  return keywords.length === 0 && (text.trim() !== "" || accepts !== null);
}
