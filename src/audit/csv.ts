import { installationChain } from "./chains.ts";
import { exportedEntry } from "./exported-entry.ts";

const columns = [
  ...[
    "workspace_id",
    "seq",
    "at",
    "actor_kind",
    "actor_id",
    "action",
    "subject_kind",
    "subject_id",
    "result",
    "address",
  ],
  ...["meta", "prev_hash", "hash"],
];

export const csvHead = `${columns.join(",")}\r\n`;

/** RFC 4180. */
export function csvLine(line: string): string {
  const { chain_id, seq, meta, ...entry } = exportedEntry.parse(JSON.parse(line));
  const { prev_hash, hash, ...texts } = entry;
  const workspaceId = chain_id === installationChain ? "" : chain_id;
  const cells = [workspaceId, String(seq), ...Object.values(texts), JSON.stringify(meta), prev_hash, hash];
  return `${cells.map((cell) => quoted(cell ?? "")).join(",")}\r\n`;
}

/** A spreadsheet would run a cell that begins like a formula. */
function quoted(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
