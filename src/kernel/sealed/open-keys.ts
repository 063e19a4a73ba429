import type { OpenStore, SealedDeps, SealedRow } from "./open-store.ts";
import type { SealedKeys } from "./sealed-store.ts";

/** Keys may hold a number that opens a door for as long as it lives. */
const shownOfKey = 6;

export function openKeys(store: SealedKeys, { keyValue }: Pick<SealedDeps, "keyValue">): OpenStore {
  async function read(prefix: string, key: string): Promise<SealedRow | undefined> {
    const token = await keyValue.get(key);
    const rest = key.slice(prefix.length);
    const id = rest.length > shownOfKey ? `${prefix}${rest.slice(0, shownOfKey)}…` : key;
    return token === undefined ? undefined : { id, key: [prefix, key], token, place: store.place(key) };
  }

  return {
    async *parts() {
      for (const prefix of store.prefixes)
        for await (const keys of keyValue.keysWith(prefix)) {
          const rows = await Promise.all(keys.map((key) => read(prefix, key)));
          yield rows.filter((row) => row !== undefined);
        }
    },
    again: ({ key: [prefix = "", key = ""] }) => read(prefix, key),
    replace: ({ key: [, key = ""], token }, fresh) => keyValue.replace(key, token, fresh),
  };
}
