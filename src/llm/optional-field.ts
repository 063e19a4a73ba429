import type { JsonSchema } from "./providers/model-call.ts";

/** The first optional field of a schema. Providers with strict schemas accept none. */
export function optionalField(schema: JsonSchema, path = ""): string | undefined {
  const required = new Set(schema.required ?? []);
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const place = path ? `${path}.${name}` : name;
    if (!required.has(name)) return place;
    const inside = typeof part === "object" ? optionalField(part, place) : undefined;
    if (inside) return inside;
  }
  const items = Array.isArray(schema.items) ? schema.items : [schema.items];
  const definitions = [...Object.values(schema.definitions ?? {}), ...Object.values(schema.$defs ?? {})];
  for (const part of [
    ...items,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    ...definitions,
  ]) {
    const inside = typeof part === "object" ? optionalField(part, path) : undefined;
    if (inside) return inside;
  }
  return undefined;
}
