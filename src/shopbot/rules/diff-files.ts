import { z } from "zod";
import { rowOfEntry } from "./bot-of-file.ts";
import type { RuleFile } from "./rule-file-schema.ts";

export const diffSchema = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(
    z.object({
      rule: z.string(),
      fields: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
    }),
  ),
  settings: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
});
export type RuleDiff = z.output<typeof diffSchema>;

/** Differences between two files; `from` is undefined if no rules are in force. */
export function diffFiles(from: RuleFile | undefined, to: RuleFile): RuleDiff {
  const before = new Map((from?.rules ?? []).map((rule) => [rule.id, rowOfEntry(rule)]));
  const after = new Map(to.rules.map((rule) => [rule.id, rowOfEntry(rule)]));
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    removed: [...before.keys()].filter((id) => !after.has(id)),
    changed: [...after].flatMap(([rule, row]) => {
      const fields = differences(before.get(rule), row);
      return before.has(rule) && Object.keys(fields).length > 0 ? [{ rule, fields }] : [];
    }),
    settings: from ? differences(from.bot, to.bot) : {},
  };
}

export function isSame({ added, removed, changed, settings }: RuleDiff): boolean {
  return added.length + removed.length + changed.length + Object.keys(settings).length === 0;
}

function differences(from: object | undefined, to: object): Record<string, { from: unknown; to: unknown }> {
  const old = new Map(Object.entries(from ?? {}));
  const fresh = new Map(Object.entries(to));
  const changed = [...new Set([...old.keys(), ...fresh.keys()])].filter(
    (key) => JSON.stringify(old.get(key)) !== JSON.stringify(fresh.get(key)),
  );
  return Object.fromEntries(changed.map((key) => [key, { from: old.get(key), to: fresh.get(key) }]));
}
