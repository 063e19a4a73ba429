import { mostNamed } from "./inspect.ts";
import { type OpenStore, openStore, type SealedDeps, type SealedRow } from "./open-store.ts";
import type { SealedStore } from "./sealed-store.ts";

export interface Rotated {
  readonly store: string;
  readonly rows: number;
  /** Encrypted again with the first key. */
  readonly rotated: number;
  /** Still not under the first key, because others kept writing: another run is needed. */
  readonly left: number;
  readonly unreadable: number;
  readonly named: readonly string[];
}

type RowOutcome = "current" | "rotated" | "unreadable" | "left" | "gone";

const triesPerRow = 5;
/** A process that has read a row before us may write the old token back after us: what changed is looked at again. */
const mostPasses = 3;

/**
 * Encrypts a store again with the first key, token by token, beside everything else. A row that is already under the first key
 * is not touched, so a run that was killed is continued by the next one, and a second run changes nothing.
 */
export async function rotateStore(
  store: SealedStore,
  deps: SealedDeps,
  onPart: (rows: number) => void = () => {},
): Promise<Rotated> {
  let rotated = 0;
  for (let pass = 1; ; pass++) {
    const { counts, named } = await onePass(openStore(store, deps), deps, onPart);
    rotated += counts.rotated;
    // Files are written once: nobody brings an old one back.
    const isDone = counts.rotated === 0 || store.kind === "objects";
    if (!isDone && pass < mostPasses) continue;
    const { current, unreadable, left } = counts;
    return {
      store: store.name,
      rows: current + counts.rotated + unreadable + left,
      rotated,
      left: left + (isDone ? 0 : counts.rotated),
      unreadable,
      named,
    };
  }
}

async function onePass(open: OpenStore, { vault }: SealedDeps, onPart: (rows: number) => void) {
  const counts: Record<RowOutcome, number> = { current: 0, rotated: 0, unreadable: 0, left: 0, gone: 0 };
  const named: string[] = [];
  let rows = 0;
  for await (const part of open.parts()) {
    for (const row of part) {
      const outcome = await rotateRow(open, vault, row);
      counts[outcome] += 1;
      if (outcome === "unreadable" && named.length < mostNamed) named.push(row.id);
    }
    rows += part.length;
    onPart(rows);
  }
  return { counts, named };
}

async function rotateRow(open: OpenStore, vault: SealedDeps["vault"], found: SealedRow): Promise<RowOutcome> {
  let row: SealedRow | undefined = found;
  for (let tries = 0; tries < triesPerRow; tries++) {
    const key = vault.keyOf(row.token, row.place);
    if (key === vault.keyIds[0]) return "current";
    if (key === undefined) return "unreadable";
    if (await open.replace(row, vault.rotate(row.token, row.place))) return "rotated";
    row = await open.again(row);
    if (!row) return "gone";
  }
  return "left";
}
