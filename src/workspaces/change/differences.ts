/** The differences of two rows by field, for events and answers. */
export type Differences = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** Fields that every change sets. */
const notOfInterest = new Set(["updated_at", "next_allowed_at"]);

export function differences<T extends object>(before: T, after: T): Differences {
  const was = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after)
      .map(([field, to]) => [field, { from: was.get(field), to }] as const)
      .filter(([field, { from, to }]) => !notOfInterest.has(field) && !same(from, to)),
  );
}

/** Compares as JSON: PostgreSQL always returns keys in the same order. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

export function isEmpty(changes: Differences): boolean {
  return Object.keys(changes).length === 0;
}
