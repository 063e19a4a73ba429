import type { Bot } from "../engine/bot.ts";
import { inOrder } from "../engine/match.ts";
import type { Rule } from "../model/rule.ts";
import { settingsOf } from "../model/settings.ts";
import type { RuleEntry, RuleFile } from "./file-shape.ts";

/** The bot that a file describes, before anything of it is stored. */
export function botOfFile(
  file: RuleFile,
  { operatorsChatId = null }: { operatorsChatId?: string | null } = {},
): Bot {
  return {
    enabled: true,
    operatorsChatId,
    settings: settingsOf(file.bot),
    rules: inOrder(file.rules.map(ruleOfEntry)),
  };
}

function ruleOfEntry(entry: RuleEntry): Rule {
  const row = rowOfEntry(entry);
  return {
    id: row.rule_id,
    version: 0,
    intent: row.intent,
    keywords: row.pattern.keywords,
    priority: row.priority,
    maxTurns: row.max_turns,
    answer: row.response_template,
    nextState: row.next_state,
    state: row.state,
    event: row.event,
    interrupts: row.interrupts,
    accepts: row.accepts,
    saveAs: row.save_as,
    refusal: row.refusal_template,
    action: row.action,
    buttons: row.buttons,
    media: row.media,
    // Together they came into the file, so the name decides between equals, as it does after the first release.
    createdAt: new Date(0),
  };
}

/** A rule as shopbot.apply_release takes it. */
export function rowOfEntry(entry: RuleEntry) {
  return {
    rule_id: entry.id,
    intent: entry.intent ?? entry.id,
    pattern: { keywords: entry.keywords, mode: "contains" },
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
