import { rowOfEntry } from "../rules/bot-of-file.ts";
import { readFile } from "../rules/read-rule-file.ts";

/** The rest of db/seed.sql after this line is generated. */
const marker = "-- Made from db/shop-bot.yaml by `npm run generate`: the rules of the demo shop's bot.\n";

/** db/seed.sql with the current rules, so that psql alone can apply them. */
export function seedWithRules(seed: string, file: string, workspaceId: string): string {
  const read = readFile(file);
  if (!read.ok) throw new Error(`db/shop-bot.yaml: ${JSON.stringify(read.errors)}`);
  const written = seed.indexOf(marker);
  if (written < 0) throw new Error("db/seed.sql has no place for the rules of the shop bot");
  const rules = read.file.rules.map((entry) => `  ${JSON.stringify(rowOfEntry(entry))}`).join(",\n");
  return `${seed.slice(0, written)}${marker}select shopbot.apply_release('${workspaceId}',
$file$${file}$file$,
$json$${JSON.stringify(read.file.bot)}$json$,
$json$[
${rules}
]$json$, 'seed.sql')
where not exists (select from shopbot.bot_releases where workspace_id = '${workspaceId}');
`;
}
