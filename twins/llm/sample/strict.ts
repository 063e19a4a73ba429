import { isRecord, isSchema, namedSchemas, type Schema, schemasOf, textsOf } from "./schema.ts";

/** Why `strict` does not allow a schema: every object must be closed, every field required. Undefined if it does. */
export function strictFault(schema: Schema, context: readonly string[] = []): string | undefined {
  if (typeof schema === "boolean") return undefined;
  const place = `In context=(${context.map((step) => `'${step}'`).join(", ")})`;
  const properties = namedSchemas(schema.properties);
  if (schema.type === "object" || properties.length > 0) {
    if (schema.additionalProperties !== false)
      return `${place}, 'additionalProperties' is required to be supplied and to be false.`;
    const required = textsOf(schema.required);
    const missing = properties.find(([name]) => !required.includes(name))?.[0];
    if (missing !== undefined)
      return `${place}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  }
  for (const [name, part] of properties) {
    const fault = strictFault(part, [...context, "properties", name]);
    if (fault) return fault;
  }
  const inside: readonly (readonly [string, Schema])[] = [
    ...(isSchema(schema.items) ? [["items", schema.items] as const] : []),
    ...["anyOf", "allOf", "oneOf", "prefixItems"].flatMap((word) =>
      schemasOf(schema[word]).map((part) => [word, part] as const),
    ),
    ...["$defs", "definitions"].flatMap((word) => (isRecord(schema[word]) ? namedSchemas(schema[word]) : [])),
  ];
  for (const [name, part] of inside) {
    const fault = strictFault(part, [...context, name]);
    if (fault) return fault;
  }
  return undefined;
}
