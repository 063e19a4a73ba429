import type { Bot } from "../engine/bot.ts";
import { inOrder } from "../engine/match-rule.ts";
import { settingsOf } from "../model/settings.ts";
import { ruleOf } from "../work/load-bot.ts";
import type { RuleEntry, RuleFile } from "./rule-file-schema.ts";

/** The bot that a file describes, before it is stored. */
export function botOfFile(
  file: RuleFile,
  { operatorsChatId = null }: { operatorsChatId?: string | null } = {},
): Bot {
  return {
    enabled: true,
    operatorsChatId,
    settings: settingsOf(file.bot),
    rules: inOrder(file.rules.map((entry) => ruleOf({ ...rowOfEntry(entry), ...unstored }))),
  };
}

/** Rules of a file have no versions yet; equal dates let the name decide between equal priorities, as after the first release. */
const unstored = { version: 0, enabled: true, created_at: new Date(0) };

/** A rule in the form of shopbot.apply_release. */
export function rowOfEntry(entry: RuleEntry) {
  return {
    rule_id: entry.id,
    intent: entry.intent ?? entry.id,
    pattern: { keywords: entry.keywords, mode: "contains" as const },
    priority: entry.priority,
    max_turns: entry.max_turns,
    response_template: entry.answer.trim(),
    next_state: entry.next_state ?? null,
    state: entry.state ?? null,
    event: entry.on ?? null,
    interrupts: entry.interrupts,
    accepts: entry.accepts ?? null,
    save_as: entry.save_as ?? null,
    refusal_template: entry.refuse?.trim() ?? null,
    action: entry.escalate ? ("escalate" as const) : null,
    buttons: entry.buttons,
    media: entry.media,
  };
}
