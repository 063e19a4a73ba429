import type { z } from "zod";
import { optionalField } from "./optional-field.ts";
import type { JsonSchema } from "./providers/send.ts";

/** A shape as models are told of it. */
export type Shapes = (schema: z.ZodType, name: string) => Promise<JsonSchema>;

/** The next call has the same shape, and describing one takes a third of a millisecond: what was described is remembered. */
export function createShapes(): Shapes {
  const remembered = new WeakMap<z.ZodType, Promise<JsonSchema>>();
  return (schema, name) => {
    const known = remembered.get(schema);
    if (known) return known;
    const described = describe(schema, name);
    remembered.set(schema, described);
    described.catch(() => remembered.delete(schema));
    return described;
  };
}

async function describe(schema: z.ZodType, name: string): Promise<JsonSchema> {
  const { zodSchema } = await import("ai");
  const described = await zodSchema(schema).jsonSchema;
  const optional = optionalField(described);
  if (optional) throw new Error(`schema ${name}: ${optional} is optional; make it nullable instead`);
  return described;
}
