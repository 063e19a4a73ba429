/**
 * The keys in the given order, except that dependencies come first. Of two keys that depend on each other, the first one met
 * is treated as not depending on the other.
 */
export function inOrder(
  keys: readonly string[],
  needsOf: (key: string) => readonly string[],
): readonly string[] {
  const position = new Map(keys.map((key, index) => [key, index]));
  const met = new Set<string>();
  const ordered: string[] = [];
  function visit(key: string): void {
    if (met.has(key)) return;
    met.add(key);
    const needs = needsOf(key).flatMap((need) => position.get(need) ?? []);
    for (const index of needs.sort((a, b) => a - b)) visit(keys[index] ?? key);
    ordered.push(key);
  }
  keys.forEach(visit);
  return ordered;
}
