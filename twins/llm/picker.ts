import { createHash } from "node:crypto";

/** A number below `count`; every call advances. */
export type Pick = (count: number) => number;

/** Numbers that depend only on the seed. */
export function picker(seed: string): Pick {
  let state = createHash("sha256").update(seed).digest();
  let at = 0;
  return (count) => {
    if (count <= 1) return 0;
    if (at + 4 > state.length) {
      state = createHash("sha256").update(state).digest();
      at = 0;
    }
    const value = state.readUInt32BE(at) % count;
    at += 4;
    return value;
  };
}

/** The list in another order. */
export function shuffled<T>(items: readonly T[], pick: Pick): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(pick(left.length), 1));
}
