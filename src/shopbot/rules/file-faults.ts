import { templateFault } from "../../delivery/index.ts";
import type { RuleEntry, RuleFile } from "./file-shape.ts";

export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What the shape of a file cannot say: that its parts fit each other, and that its templates can be read. */
export function fileFaults({ bot, rules }: RuleFile): Fault[] {
  const ids = new Set(rules.map(({ id }) => id));
  const states = new Set(rules.flatMap(({ state }) => state ?? []));
  const buttonFaults = (rows: RuleEntry["buttons"], path: readonly PropertyKey[]) =>
    rows.flatMap((row, at) =>
      row.flatMap((button, index) =>
        "press" in button && !ids.has(button.press)
          ? [{ path: [...path, at, index, "press"], message: `There is no rule ${button.press}` }]
          : [],
      ),
    );
  return [
    ...rules.flatMap((rule, index) => ruleFaults(rule, ["rules", index], { rules, states, index })),
    ...rules.flatMap(({ buttons }, index) => buttonFaults(buttons, ["rules", index, "buttons"])),
    ...buttonFaults(bot.fallback.buttons, ["bot", "fallback", "buttons"]),
    ...buttonFaults(bot.escalation.buttons, ["bot", "escalation", "buttons"]),
    ...templateFaults([
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

function ruleFaults(rule: RuleEntry, path: readonly PropertyKey[], { rules, states, index }: Place): Fault[] {
  const faults: Fault[] = [];
  const add = (field: string, message: string) => faults.push({ path: [...path, field], message });
  if (rules.findIndex(({ id }) => id === rule.id) < index) add("id", `Another rule is called ${rule.id}`);
  if (rule.next_state && rule.next_state !== "default" && !states.has(rule.next_state))
    add("next_state", `No rule has the state ${rule.next_state}, so nobody would answer there`);
  if (rule.save_as && !rule.accepts) add("save_as", "Say with accepts what is to be kept");
  if (rule.refuse && !rule.accepts) add("refuse", "Say with accepts what is refused otherwise");
  if (rule.accepts && !rule.state) add("accepts", "Only a rule of a state can ask for something");
  if (rule.escalate && rule.next_state) add("next_state", "Who calls a person leaves every state");
  if (rule.on && rule.state) add("on", "A rule of a state cannot wait for a start or a photo");
  const twice = rule.keywords.findIndex((keyword, at) => rule.keywords.indexOf(keyword) < at);
  if (twice >= 0) add("keywords", `${rule.keywords[twice]} stands there twice`);
  return [
    ...faults,
    ...templateFaults([
      [rule.answer, [...path, "answer"]],
      [rule.refuse, [...path, "refuse"]],
    ]),
  ];
}

function templateFaults(
  templates: readonly (readonly [string | undefined, readonly PropertyKey[]])[],
): Fault[] {
  return templates.flatMap(([text, path]) => {
    const fault = text === undefined ? undefined : templateFault(text);
    return fault ? [{ path, message: `The template cannot be read: ${fault.message}` }] : [];
  });
}
