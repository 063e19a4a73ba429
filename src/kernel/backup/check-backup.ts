import { messageOf } from "../errors/index.ts";
import { unpackFiles } from "./files.ts";
import { readParts } from "./parts.ts";
import type { OpenBackup } from "./place.ts";
import { createRowsDigest, inBlocks } from "./rows.ts";

/** Reads everything and compares it with the manifest, without a database. Returns what is wrong, as sentences. */
export async function checkBackup(
  backup: OpenBackup,
  onStep: (text: string) => void = () => {},
): Promise<string[]> {
  const { tables, files } = backup.body;
  const wrong: string[] = [];
  const attempt = async (what: string, check: () => Promise<string | undefined>) => {
    onStep(what);
    const found = await check().catch(messageOf);
    if (found) wrong.push(`${what}: ${found}`);
  };
  for (const table of tables)
    await attempt(table.name, async () => {
      const digest = createRowsDigest();
      for await (const block of inBlocks(readParts(backup, table.parts))) digest.add(block);
      return digest.rows() === table.rows && digest.digest() === table.digest
        ? undefined
        : `it holds ${digest.rows()} rows that are not the ${table.rows} of the manifest.`;
    });
  await attempt("files", async () => {
    const found = await unpackFiles(readParts(backup, files.parts), async () => {});
    return found.count === files.count && found.bytes === files.bytes
      ? undefined
      : `there are ${found.count} files of ${found.bytes} bytes instead of ${files.count} of ${files.bytes}.`;
  });
  return wrong;
}
