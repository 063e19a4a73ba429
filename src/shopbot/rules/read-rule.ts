import { isMap, parseDocument } from "yaml";
import { fileRefused } from "../admin/problems.ts";

/** The fields of one rule, written as in the rule file; whether they make a rule is for its shape to say. */
export function ruleOfText(text: string): Readonly<Record<string, unknown>> {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw fileRefused([{ path: [], message: error.message }]);
  if (!isMap(document.contents))
    throw fileRefused([{ path: [], message: "Write one rule: its fields, as in `answer: …`" }]);
  return document.toJS({ maxAliasCount: 100 });
}
