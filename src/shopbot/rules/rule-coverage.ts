import { z } from "zod";
import type { Bot } from "../engine/bot.ts";
import { plain } from "../engine/keywords.ts";
import { defaultState, type Rule } from "../model/rule.ts";

/** What a set of rules can never do, and what its examples do not show. */
export const coverageSchema = z.object({
  rules: z.int(),
  played: z.int().describe("Rules that an example shows"),
  notPlayed: z.array(z.string()),
  /** Rules that no message and no button can reach. */
  unreachable: z.array(z.object({ rule: z.string(), why: z.string() })),
  /** Keywords that another rule always answers first. */
  shadowed: z.array(z.object({ rule: z.string(), keyword: z.string(), by: z.string() })),
  /** States that can only be left by a timeout. */
  withoutExit: z.array(z.string()),
});
type Coverage = z.output<typeof coverageSchema>;

export function coverageOf(bot: Bot, played: ReadonlySet<string>): Coverage {
  const { rules } = bot;
  const shadowed = rules.flatMap((rule) => shadowsOf(rule, rules));
  return {
    unreachable: unreachableOf(bot, shadowed),
    shadowed,
    withoutExit: [...statesOf(rules)].filter((state) => !rules.some((rule) => leadsOut(rule, state))),
    notPlayed: rules.map(({ id }) => id).filter((id) => !played.has(id)),
    rules: rules.length,
    played: rules.filter(({ id }) => played.has(id)).length,
  };
}

export function isSound({ unreachable, shadowed, withoutExit }: Coverage): boolean {
  return unreachable.length + shadowed.length + withoutExit.length === 0;
}

function statesOf(rules: readonly Rule[]): Set<string> {
  return new Set(rules.flatMap(({ state }) => state ?? []));
}

function leadsOut({ state, interrupts, nextState, action }: Rule, from: string): boolean {
  const speaksThere = state === from || (interrupts && state === null);
  return speaksThere && (action === "escalate" || (nextState !== null && nextState !== from));
}

/** Rules that are checked before this one and may answer instead. */
function rulesBefore(rule: Rule, rules: readonly Rule[]): readonly Rule[] {
  const before = rules.slice(0, rules.indexOf(rule));
  if (rule.interrupts) return before.filter((other) => other.interrupts && other.state === rule.state);
  if (rule.state !== null)
    return [
      ...rules.filter((other) => other.interrupts),
      ...before.filter((other) => other.state === rule.state && !other.interrupts),
    ];
  return [
    ...rules.filter((other) => other.interrupts && other.state === null),
    ...before.filter((other) => other.state === null && !other.interrupts),
  ];
}

function shadowsOf(rule: Rule, rules: readonly Rule[]): Coverage["shadowed"] {
  const earlier = rulesBefore(rule, rules);
  return rule.keywords.flatMap((keyword) => {
    const by = earlier.find(
      (other) =>
        (other.state !== null && other.keywords.length === 0) ||
        other.keywords.some((word) => plain(keyword).includes(plain(word))),
    );
    return by ? [{ rule: rule.id, keyword, by: by.id }] : [];
  });
}

function unreachableOf({ rules, settings }: Bot, shadowed: Coverage["shadowed"]): Coverage["unreachable"] {
  const pressed = new Set(
    [...rules.map(({ buttons }) => buttons), settings.fallback.buttons, settings.escalation.buttons]
      .flat(2)
      .flatMap((button) => ("press" in button ? button.press : [])),
  );
  const entered = reachableStates(rules);
  return rules.flatMap((rule) => {
    if (rule.state !== null && !entered.has(rule.state))
      return [{ rule: rule.id, why: `no rule leads to the state ${rule.state}` }];
    if (rule.event || pressed.has(rule.id)) return [];
    if (rule.keywords.length === 0) {
      if (rule.state === null)
        return [{ rule: rule.id, why: "it has no keywords and no button leads to it" }];
      const first = rules.find((other) => other.state === rule.state && other.keywords.length === 0);
      return first && first !== rule
        ? [{ rule: rule.id, why: `${first.id} takes everything before it` }]
        : [];
    }
    const hidden = shadowed.filter(({ rule: id }) => id === rule.id);
    return hidden.length === rule.keywords.length
      ? [{ rule: rule.id, why: `${[...new Set(hidden.map(({ by }) => by))].join(", ")} answers before it` }]
      : [];
  });
}

/** States reachable from the default state. */
function reachableStates(rules: readonly Rule[]): Set<string> {
  const reached = new Set<string>([defaultState]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const { state, nextState } of rules) {
      if (nextState === null || reached.has(nextState) || (state !== null && !reached.has(state))) continue;
      reached.add(nextState);
      grown = true;
    }
  }
  return reached;
}
