import { dialectsByMode, markdownDialects } from "../content/index.ts";
import type { PlatformDefinition } from "../platforms/index.ts";

/** What the database knows of platforms and dialects, by the file that holds it. */
export function factsInSql(definitions: readonly PlatformDefinition[]): Readonly<Record<string, string>> {
  return {
    "db/functions/delivery/channels/platform_facts.sql": factsFunction(
      "platform_facts",
      "src/platforms/*/index.ts",
      "What is known of each platform, by its name: its limits, how its targets are read, the settings that its channels have.",
      Object.fromEntries(definitions.map((definition) => [definition.name, factsOf(definition)])),
    ),
    "db/functions/delivery/ingest/markdown_dialects.sql": factsFunction(
      "markdown_dialects",
      "src/content/post.ts",
      "The dialects of Markdown by their names, and the parse modes that mean one of them.",
      { names: markdownDialects, by_mode: dialectsByMode },
    ),
  };
}

function factsOf({ limits, target, channelSettings = {} }: PlatformDefinition) {
  const { about: _, ...read } = target;
  return {
    limits,
    target: read,
    settings: Object.fromEntries(
      Object.entries(channelSettings).map(([name, { about, ...kinds }]) => [name, kinds]),
    ),
  };
}

/** The SQL function is a constant, so that reading one of its values costs nothing more. */
function factsFunction(name: string, source: string, about: string, facts: object): string {
  const text = JSON.stringify(facts, null, 2).replaceAll("'", "''");
  return `-- Made by \`npm run generate\` from ${source}; change the definitions there, not this file.
-- ${about}
create or replace function delivery.${name}() returns jsonb
language sql immutable parallel safe as $facts$
select '${text}'::jsonb
$facts$;
`;
}
