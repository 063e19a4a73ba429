import { type Flow, graphOf, mermaidOf, mermaidOfScreens, type Route } from "../../dialogs/index.ts";

/** `docs/reference/seo-flows.md`: every flow and screen of a bot, drawn. */
export function renderFlowReference(
  title: string,
  { flows, screens }: { readonly flows: readonly Flow<never>[]; readonly screens: readonly Route<never>[] },
): string {
  const lines = [
    `# ${title}, drawn`,
    "",
    `${flows.length} flows and ${screens.length} screens and actions. Made by \`npm run generate\`; \`molva flows seo\` prints the same as text. A line says what`,
    "leads on: a `[button]`, `text`, a file, a `/command`, `done` or `failed` of work, `*outcome` of what is waited for, `prepare` where a state leads on by itself.",
  ];
  for (const flow of [...flows].toSorted((one, other) => one.name.localeCompare(other.name, "en"))) {
    lines.push("", `## ${flow.name}`, "", `${sentence(flow.title.en)}, in Russian: ${flow.title.ru}.`);
    lines.push("", "```mermaid", mermaidOf(graphOf(flow)), "```");
  }
  lines.push("", "## Screens", "", "Every button and every action, from the menu on.");
  for (const [entity, routes] of byEntity(screens))
    lines.push("", `### ${entity}`, "", "```mermaid", mermaidOfScreens(routes), "```");
  return `${lines.join("\n")}\n`;
}

/** One diagram for all would not be readable. */
function byEntity(screens: readonly Route<never>[]): [string, Route<never>[]][] {
  const groups = new Map<string, Route<never>[]>();
  for (const route of screens.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const entity = route.path.split(":")[0] ?? "";
    groups.set(entity, [...(groups.get(entity) ?? []), route]);
  }
  return [...groups];
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
