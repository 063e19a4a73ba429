import { cut } from "../../../kernel/words/index.ts";
import { decodeEntities } from "./decode-entities.ts";

const longestTitle = 2_000;
const tagsOfTitles = /<\/?(?:a|b|i|u|s|em|strong|span|br|code|sup|sub|p|font|small|mark)(?:\s[^<>]*)?\/?>/gi;

/** A title as plain text: entities are decoded and known tags removed. `List<String>` is not markup, and stays. */
export function titleText(source: string): string {
  const [text = ""] = decodeEntities([cut(source, longestTitle).replace(tagsOfTitles, " ")]);
  return text.replace(/\s+/g, " ").trim();
}
