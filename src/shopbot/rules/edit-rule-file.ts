import { type Document, isMap, isSeq, parseDocument, stringify, type YAMLSeq } from "yaml";
import type { RuleEntry } from "./rule-file-schema.ts";

/** Edits one rule in the owner's file, keeping comments and order. */

export function withRule(text: string, entry: Partial<RuleEntry> & { id: string }): string {
  return edited(text, (rules, document) => {
    const at = indexOf(rules, entry.id);
    if (at < 0) rules.add(document.createNode(entry));
    else rules.set(at, document.createNode(entry));
  });
}

/** Undefined if there is no such rule. */
export function withoutRule(text: string, ruleId: string): string | undefined {
  let found = false;
  const changed = edited(text, (rules) => {
    const at = indexOf(rules, ruleId);
    found = at >= 0;
    if (found) rules.delete(at);
  });
  return found ? changed : undefined;
}

type Change = (rules: YAMLSeq, document: Document) => void;

function edited(text: string, change: Change): string {
  try {
    return changedText(text, change);
  } catch {
    // The replaced rule held an anchor that others refer to; expand the aliases and try again.
    const whole: unknown = parseDocument(text).toJS();
    return changedText(stringify(whole, { aliasDuplicateObjects: false }), change);
  }
}

function changedText(text: string, change: Change): string {
  const document = parseDocument(text);
  const rules: unknown = document.get("rules", true);
  if (!isSeq(rules)) throw new Error("a file in force has a list of rules");
  change(rules, document);
  return String(document);
}

function indexOf(rules: YAMLSeq, ruleId: string): number {
  return rules.items.findIndex((item) => isMap(item) && item.get("id") === ruleId);
}
