/** Short ids: lists print the beginning of an id, and every command and route that takes an id accepts it. */

/** As many characters as lists print: the milliseconds of a UUIDv7, more where two ids of one list share them. */
const shortest = 13;

/** The fewest hexadecimal digits that a route accepts as an id. */
export const fewestDigits = 4;

/** The first and the last UUID with this beginning; undefined when no UUID can begin so. */
export function idRange(typed: string): readonly [string, string] | undefined {
  const digits = typed.trim().toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return undefined;
  return [dashed(digits.padEnd(32, "0")), dashed(digits.padEnd(32, "f"))];
}

/** The ids of one list shortened to one length at which all of them differ. */
export function shortIds(ids: readonly string[]): string[] {
  const longest = Math.max(shortest, ...ids.map((id) => id.length));
  const different = new Set(ids).size;
  for (let length = shortest; length < longest; length++) {
    const cut = ids.map((id) => id.slice(0, length));
    if (new Set(cut).size === different) return cut.map((id) => id.replace(/-$/, ""));
  }
  return [...ids];
}

function dashed(digits: string): string {
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join("-");
}
