import { type Inspected, inspectStore, type SealedDeps, type SealedStore } from "../kernel/sealed/index.ts";
import { counted, UserError } from "../terminal/index.ts";

/** More would take longer than a person waits; files come over the network. */
const mostRows = { column: 100_000, keys: 100_000, objects: 500 } as const satisfies Record<
  SealedStore["kind"],
  number
>;

/** What the keys open of each store, up to a limit. */
export async function inspectStores(
  stores: readonly SealedStore[],
  deps: SealedDeps,
): Promise<readonly Inspected[]> {
  const found: Inspected[] = [];
  for (const store of stores) found.push(await inspectStore(store, deps, { mostRows: mostRows[store.kind] }));
  return found;
}

/** The first key, which encrypts, and those that open something; all of them if not everything was read. */
export function keysInUse(keyIds: readonly string[], found: readonly Inspected[]): string[] {
  const allRead = found.every(({ complete }) => complete);
  return keyIds.filter(
    (id, index) => index === 0 || !allRead || found.some(({ byKey }) => (byKey[id] ?? 0) > 0),
  );
}

/** Whether the keys open what is stored, store by store, and which of them nothing needs: the most common problem after moving a database. */
export async function checkSealed(stores: readonly SealedStore[], deps: SealedDeps): Promise<string> {
  const found = await inspectStores(stores, deps);
  const lost = stores.flatMap((store, index) => {
    const { rows = 0, unreadable = 0 } = found[index] ?? {};
    return unreadable > 0
      ? [`${store.name}: ${unreadable} of ${rows}; if the key is lost, ${store.ifLost}`]
      : [];
  });
  if (lost.length > 0)
    throw new UserError(
      [
        "no key opens these; add the key that was removed to the end of MOLVA_ENCRYPTION_KEYS (`molva secrets rotate --dry-run` names the rows):",
        ...lost,
      ].join("\n    "),
    );
  const rows = found.reduce((sum, store) => sum + store.rows, 0);
  return [
    rows === 0 ? "ready; nothing is stored yet" : `open everything stored that was tried (${rows})`,
    ...aboutOlderKeys(deps.vault.keyIds, found),
  ].join("; ");
}

/** What each key after the first is still needed for. */
function aboutOlderKeys(keyIds: readonly string[], found: readonly Inspected[]): string[] {
  return keyIds.slice(1).map((id, index) => {
    const key = `key ${index + 2} (${id})`;
    const needing = found.filter(({ byKey }) => (byKey[id] ?? 0) > 0);
    if (needing.length > 0) {
      const rows = needing.reduce((sum, { byKey }) => sum + (byKey[id] ?? 0), 0);
      return `${key} is needed for ${counted(rows, "row")} (${needing.map(({ store }) => store).join(", ")}): run \`molva secrets rotate\``;
    }
    return found.every(({ complete }) => complete)
      ? `${key} is used by nothing and may be removed`
      : `${key} opens none of what was tried; \`molva secrets rotate --dry-run\` tries all`;
  });
}
