import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Bot } from "../engine/bot.ts";
import { inOrder } from "../engine/match-rule.ts";
import { acceptKinds, buttons, photo, type Rule } from "../model/rule.ts";
import { settingsOf } from "../model/settings.ts";

export const ruleRow = z.object({
  rule_id: z.string(),
  version: z.int(),
  enabled: z.boolean(),
  intent: z.string(),
  pattern: z.object({ keywords: z.array(z.string()), mode: z.literal("contains") }),
  priority: z.int(),
  max_turns: z.int(),
  response_template: z.string(),
  next_state: z.string().nullable(),
  state: z.string().nullable(),
  event: z.enum(["start", "attachment"]).nullable(),
  interrupts: z.boolean(),
  accepts: z.enum(acceptKinds).nullable(),
  save_as: z.string().nullable(),
  refusal_template: z.string().nullable(),
  action: z.literal("escalate").nullable(),
  buttons,
  media: z.array(photo),
  created_at: z.date(),
});
export type RuleRow = z.output<typeof ruleRow>;

export async function loadBot(sql: Sql | Transaction, workspaceId: string): Promise<Bot | undefined> {
  const [bot] = await sql`
    select enabled, operators_chat_id, settings from shopbot.bots where workspace_id = ${workspaceId}`;
  if (!bot) return undefined;
  const rows = await sql`
    select * from shopbot.bot_rules where workspace_id = ${workspaceId} and enabled`;
  return {
    enabled: bot.enabled,
    operatorsChatId: bot.operators_chat_id,
    settings: settingsOf(bot.settings),
    rules: inOrder(rows.map((row) => ruleOf(ruleRow.parse(row)))),
  };
}

export function ruleOf(row: RuleRow): Rule {
  return {
    id: row.rule_id,
    version: row.version,
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
    createdAt: row.created_at,
  };
}
