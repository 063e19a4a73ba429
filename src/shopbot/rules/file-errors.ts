import { templateFault } from "../../delivery/index.ts";
import type { RuleEntry, RuleFile } from "./rule-file-schema.ts";

export interface FileProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Checks that the schema cannot express: references between rules, and templates. */
export function fileErrors({ bot, rules }: RuleFile): FileProblem[] {
  const ids = new Set(rules.map(({ id }) => id));
  const states = new Set(rules.flatMap(({ state }) => state ?? []));
  const buttonErrors = (rows: RuleEntry["buttons"], path: readonly PropertyKey[]) =>
    rows.flatMap((row, at) =>
      row.flatMap((button, index) =>
        "press" in button && !ids.has(button.press)
          ? [{ path: [...path, at, index, "press"], message: `There is no rule ${button.press}` }]
          : [],
      ),
    );
  return [
    ...rules.flatMap((rule, index) => ruleErrors(rule, ["rules", index], { rules, states, index })),
    ...rules.flatMap(({ buttons }, index) => buttonErrors(buttons, ["rules", index, "buttons"])),
    ...buttonErrors(bot.fallback.buttons, ["bot", "fallback", "buttons"]),
    ...buttonErrors(bot.escalation.buttons, ["bot", "escalation", "buttons"]),
    ...templateErrors([
      [bot.fallback.text, ["bot", "fallback", "text"]],
      [bot.escalation.text, ["bot", "escalation", "text"]],
      [bot.operators.returned_text, ["bot", "operators", "returned_text"]],
      [bot.expired_text, ["bot", "expired_text"]],
    ]),
  ];
}

interface Place {
  readonly rules: readonly RuleEntry[];
  readonly states: ReadonlySet<string>;
  readonly index: number;
}

function ruleErrors(
  rule: RuleEntry,
  path: readonly PropertyKey[],
  { rules, states, index }: Place,
): FileProblem[] {
  const errors: FileProblem[] = [];
  const add = (field: string, message: string) => errors.push({ path: [...path, field], message });
  if (rules.findIndex(({ id }) => id === rule.id) < index) add("id", `Another rule is called ${rule.id}`);
  if (rule.next_state && rule.next_state !== "default" && !states.has(rule.next_state))
    add("next_state", `No rule has the state ${rule.next_state}, so nobody would answer there`);
  if (rule.save_as && !rule.accepts) add("save_as", "Needs accepts: what value to store");
  if (rule.refuse && !rule.accepts) add("refuse", "Needs accepts: what value is expected");
  if (rule.accepts && !rule.state) add("accepts", "Only a rule with a state can ask for a value");
  if (rule.escalate && rule.next_state) add("next_state", "Calling an operator leaves every state");
  if (rule.on && rule.state) add("on", "A rule with a state cannot react to a start or a photo");
  const twice = rule.keywords.findIndex((keyword, at) => rule.keywords.indexOf(keyword) < at);
  if (twice >= 0) add("keywords", `${rule.keywords[twice]} occurs twice`);
  return [
    ...errors,
    ...templateErrors([
      [rule.answer, [...path, "answer"]],
      [rule.refuse, [...path, "refuse"]],
    ]),
  ];
}

function templateErrors(
  templates: readonly (readonly [string | undefined, readonly PropertyKey[]])[],
): FileProblem[] {
  return templates.flatMap(([text, path]) => {
    const error = text === undefined ? undefined : templateFault(text);
    return error ? [{ path, message: `The template cannot be read: ${error.message}` }] : [];
  });
}
