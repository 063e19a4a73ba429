type Fields = Readonly<Record<string, unknown>>;

/** JSON Merge Patch (RFC 7396): given fields replace, null removes, the rest stays. */
export function mergePatch(before: Fields, patch: Fields): Fields {
  const after = new Map(Object.entries(before));
  for (const [field, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) after.delete(field);
    else after.set(field, isFields(value) ? mergePatch(fieldsOf(after.get(field)), value) : value);
  }
  return Object.fromEntries(after);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
