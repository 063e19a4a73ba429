import { z } from "zod";
import { refuse } from "../errors.ts";
import { limits } from "../limits.ts";

const text = z.string().min(1).max(limits.button.text);

export const button = z.discriminatedUnion("type", [
  z.object({ type: z.literal("callback"), text, payload: z.string().max(limits.button.payload) }),
  z.object({ type: z.literal("link"), text, url: z.url().max(limits.button.url) }),
  z.object({ type: z.literal("request_contact"), text }),
  z.object({ type: z.literal("request_geo_location"), text, quick: z.boolean().optional() }),
  z.object({
    type: z.literal("open_app"),
    text,
    web_app: z.string().min(1),
    contact_id: z.number().int().nullish(),
    payload: z
      .string()
      .max(limits.button.appPayload)
      .regex(/^[\w-]*$/)
      .nullish(),
  }),
  z.object({ type: z.literal("message"), text }),
  z.object({ type: z.literal("clipboard"), text, payload: z.string().max(limits.button.payload) }),
]);

export type Button = z.infer<typeof button>;

/** A row holds fewer of these buttons, because they are drawn wide. */
const wide: ReadonlySet<Button["type"]> = new Set([
  "link",
  "open_app",
  "request_geo_location",
  "request_contact",
]);

/** Throws the provider's refusal if the rows do not fit. */
export function checkGeometry(rows: readonly (readonly Button[])[]): void {
  if (rows.length === 0 || rows.some((row) => row.length === 0)) {
    throw refuse.payload("Keyboard rows must not be empty");
  }
  if (rows.length > limits.keyboard.rows) throw refuse.payload("Key: errors.maxRows");
  for (const row of rows) {
    const most = row.some(({ type }) => wide.has(type))
      ? limits.keyboard.perRowWithWide
      : limits.keyboard.perRow;
    if (row.length > most) throw refuse.payload(`Key: errors.maxRowButtons: at most ${most} in this row`);
  }
  const total = rows.reduce((sum, row) => sum + row.length, 0);
  if (total > limits.keyboard.total) throw refuse.payload("Key: errors.maxButtons");
}
