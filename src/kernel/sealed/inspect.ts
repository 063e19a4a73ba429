import { openStore, type SealedDeps } from "./open-store.ts";
import type { SealedStore } from "./sealed-store.ts";

/** What a store holds, by the name of the key that opens it. */
export interface Inspected {
  readonly store: string;
  readonly rows: number;
  readonly byKey: Readonly<Record<string, number>>;
  readonly unreadable: number;
  /** The rows that no key opens; at most `mostNamed`. */
  readonly named: readonly string[];
  /** False if there were more rows than were to be read. */
  readonly complete: boolean;
}

export const mostNamed = 1_000;

export interface InspectOptions {
  readonly mostRows?: number;
  readonly onPart?: (rows: number) => void;
}

/** Tries every stored token with the present keys and changes nothing. */
export async function inspectStore(
  store: SealedStore,
  deps: SealedDeps,
  { mostRows = Number.POSITIVE_INFINITY, onPart = () => {} }: InspectOptions = {},
): Promise<Inspected> {
  const byKey = Object.fromEntries(deps.vault.keyIds.map((id) => [id, 0]));
  const named: string[] = [];
  let rows = 0;
  let unreadable = 0;
  for await (const part of openStore(store, deps).parts()) {
    for (const { id, token, place } of part) {
      if (rows >= mostRows) return { store: store.name, rows, byKey, unreadable, named, complete: false };
      rows += 1;
      const key = deps.vault.keyOf(token, place);
      if (key !== undefined) byKey[key] = (byKey[key] ?? 0) + 1;
      else {
        unreadable += 1;
        if (named.length < mostNamed) named.push(id);
      }
    }
    onPart(rows);
  }
  return { store: store.name, rows, byKey, unreadable, named, complete: true };
}
