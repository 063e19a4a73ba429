/** JSON Schema as untyped data. */
export type Schema = Readonly<Record<string, unknown>> | boolean;
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "boolean" || isRecord(value);
}

export function schemasOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

export function namedSchemas(value: unknown): readonly (readonly [string, Schema])[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, schema]) =>
    isSchema(schema) ? [[name, schema] as const] : [],
  );
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Resolves a `$ref` within the same document. */
export function resolve(root: Schema, reference: string): Schema {
  const steps = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  let at: unknown = root;
  for (const step of steps) {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isRecord(at) ? at[name] : Array.isArray(at) ? at[Number(name)] : undefined;
  }
  return isSchema(at) ? at : true;
}

/** Equal as JSON, regardless of key order. */
export function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => same(each, other[index]));
  if (isRecord(one) && isRecord(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
    );
  }
  return one === other;
}
