import { z } from "zod";
import { chosenName, parseModes, text } from "./fields.ts";

/** Kinds of values a rule can ask for. */
export const acceptKinds = ["text", "reason", "order_number", "phone", "email"] as const;
export type AcceptKind = (typeof acceptKinds)[number];

/** A button that triggers a rule or opens a URL. */
export const button = z.union([
  z.strictObject({ text: text(128), press: chosenName.describe("The rule it leads to") }),
  z.strictObject({ text: text(128), url: z.url({ protocol: /^https?$/ }).max(2048) }),
]);
export type Button = z.infer<typeof button>;

/** MAX's limits: 30 rows of 7; 3 in a row with a link. */
export const buttons = z
  .array(z.array(button).min(1).max(7))
  .max(30)
  .superRefine((rows, context) => {
    for (const [index, row] of rows.entries())
      if (row.length > 3 && row.some((each) => "url" in each))
        context.addIssue({ code: "custom", path: [index], message: "A row with a link holds three buttons" });
  });

export const photo = z.strictObject({
  type: z.literal("photo"),
  url: z.url({ protocol: /^https?$/ }).max(4096),
});

/** One version of a rule. */
export interface Rule {
  readonly id: string;
  readonly version: number;
  readonly intent: string;
  readonly keywords: readonly string[];
  readonly priority: number;
  readonly maxTurns: number;
  readonly answer: string;
  readonly nextState: string | null;
  /** Applies only in this state; null: a FAQ rule. */
  readonly state: string | null;
  readonly event: "start" | "attachment" | null;
  /** Checked before the rules of any state. */
  readonly interrupts: boolean;
  readonly accepts: AcceptKind | null;
  readonly saveAs: string | null;
  readonly refusal: string | null;
  readonly action: "escalate" | null;
  readonly buttons: readonly (readonly Button[])[];
  readonly media: readonly z.infer<typeof photo>[];
  readonly createdAt: Date;
}

export const defaultState = "default";
/** An operator has the chat, and the bot is silent. */
export const operatorState = "operator";

export const parseMode = z.enum(parseModes);
