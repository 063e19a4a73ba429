import type { z } from "zod";
import { optionalField } from "./optional-field.ts";
import type { JsonSchema } from "./providers/model-call.ts";

/** Turns a zod schema into the JSON Schema that models get. */
export type AnswerShapes = (schema: z.ZodType, name: string) => Promise<JsonSchema>;

/** Caches the results: a conversion takes a third of a millisecond, and the next call usually has the same schema. */
export function createAnswerShapes(): AnswerShapes {
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
