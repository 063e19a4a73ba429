/** Which files the rows of a snapshot name, so that a backup can say which of them the storage did not have. */
import { hash } from "node:crypto";
import type { Session } from "./session.ts";

/** A query with one column, the keys of files that must exist. Modules list theirs in their manifest. */
export interface NamedFiles {
  readonly name: string;
  readonly query: string;
}

/** A set of keys in a few bytes each. Two keys in 10^14 look alike, and then a missing file might go unnoticed. */
export function createKeySet() {
  const seen = new Set<number>();
  const short = (key: string) => hash("sha256", key, "buffer").readUIntBE(0, 6);
  return { add: (key: string) => void seen.add(short(key)), has: (key: string) => seen.has(short(key)) };
}

const mostNamed = 100;

/** Runs on the snapshot's own connection. */
export async function findMissing(
  session: Session,
  named: readonly NamedFiles[],
  copied: { has(key: string): boolean },
): Promise<{ missing: number; missing_named: string[] }> {
  const missing_named: string[] = [];
  let missing = 0;
  for (const { query } of named) {
    // Keys hold no character that COPY would escape.
    let rest = "";
    for await (const chunk of session.copyOut(query) as AsyncIterable<Buffer>) {
      const lines = (rest + chunk.toString("utf8")).split("\n");
      rest = lines.pop() ?? "";
      for (const key of lines) {
        if (copied.has(key)) continue;
        missing += 1;
        if (missing_named.length < mostNamed) missing_named.push(key);
      }
    }
  }
  return { missing, missing_named };
}
