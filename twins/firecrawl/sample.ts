import { chanceOf } from "../web/chance.ts";
import type { WebPage } from "../web/pages.ts";

/** A value that fits the JSON Schema, from what the page says. */
export function sampleOf(schema: unknown, page: WebPage, name = ""): unknown {
  const given = typeof schema === "object" && schema !== null ? schema : {};
  const type: unknown = Reflect.get(given, "type");
  const choices: unknown = Reflect.get(given, "enum");
  if (Array.isArray(choices)) return choices[0];
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(Reflect.get(given, "properties") ?? {}).map(([key, inner]) => [
          key,
          sampleOf(inner, page, key),
        ]),
      );
    case "array":
      return headingsOf(page)
        .slice(0, 3)
        .map((heading) =>
          sampleOf(Reflect.get(given, "items") ?? { type: "string" }, { ...page, title: heading }, name),
        );
    case "number":
    case "integer":
      return chanceOf("sample", name, page.title).between(1, 60);
    case "boolean":
      return true;
    default:
      return /colou?r/i.test(name) ? "#225588" : /descr|summary/i.test(name) ? page.description : page.title;
  }
}

function headingsOf({ markdown }: WebPage): string[] {
  return markdown.split("\n").flatMap((line) => (line.startsWith("## ") ? [line.slice(3)] : []));
}
