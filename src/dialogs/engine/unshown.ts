/** A chat's screen that is to be shown, as the dialogue stores it. */
import { z } from "zod";
import { styles } from "../flow/flow.ts";
import { invoiceShape } from "../flow/invoice.ts";
import { formattedShape } from "../flow/text.ts";
import { sourceShape } from "./files.ts";

const style = z.enum(styles).optional();
const rowsShape = z.array(
  z.array(
    z.object({
      label: z.string(),
      payload: z.string().optional(),
      url: z.string().optional(),
      copy: z.string().optional(),
      style,
    }),
  ),
);
const keyboardShape = z.array(z.array(z.object({ label: z.string(), style })));
const photoShape = z.object({ photo: sourceShape, caption: formattedShape });
const saidFileShape = z.union([
  photoShape,
  z.object({ document: sourceShape, name: z.string(), caption: formattedShape }),
  z.object({ album: z.array(photoShape) }),
]);
export type SaidFile = z.infer<typeof saidFileShape>;
const unshownShape = z.object({
  revision: z.number(),
  language: z.enum(["ru", "en"]),
  screen: formattedShape.extend({
    rows: rowsShape,
    picture: sourceShape.optional(),
    fresh: z.boolean(),
    /** A screen before this one was to come as a new message, and has not been shown. */
    handed: z.boolean().default(false),
    /** The former screen is deleted when this one is sent. */
    removes: z.boolean().default(false),
    /** Its buttons work for ever, so they stay when the next screen is sent. */
    lasting: z.boolean().default(false),
  }),
  says: z.array(
    z.union([
      z.object({ invoice: invoiceShape }),
      saidFileShape,
      formattedShape.extend({ rows: rowsShape.optional(), keyboard: keyboardShape.optional() }),
    ]),
  ),
  live_message_id: z.string().nullable(),
  live_picture: z.boolean(),
  live_screen: z.boolean(),
});
export type Unshown = z.infer<typeof unshownShape>;

export function readUnshown(row: unknown): Unshown {
  return unshownShape.parse(row);
}
