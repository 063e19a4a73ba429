import { isMap, parseDocument } from "yaml";
import { fileRefused } from "../admin/bot-problems.ts";

/** The fields of one rule in YAML; the schema is checked by the caller. */
export function ruleOfText(text: string): Readonly<Record<string, unknown>> {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw fileRefused([{ path: [], message: error.message }]);
  if (!isMap(document.contents))
    throw fileRefused([{ path: [], message: "Write one rule: its fields, as in `answer: …`" }]);
  return document.toJS({ maxAliasCount: 100 });
}
