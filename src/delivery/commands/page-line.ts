import type { z } from "zod";
import { momentFrom } from "../../terminal/index.ts";
import type { pageSchema } from "../deliveries/index.ts";

/** What was found when the page was read back, and how search engines answered. */
export function pageLine(
  { url, in_order, findings, step, next_at, told }: z.infer<typeof pageSchema>,
  now: Date,
): string {
  const errors = findings.map(({ message }) => `  ${message}`);
  const reading =
    in_order === undefined
      ? `is read back ${momentFrom(next_at ? new Date(next_at) : null, now)}`
      : in_order
        ? "read back, in order"
        : "read back, not in order";
  const telling = told?.message ?? (step === "tell" ? "search engines are told of it next" : undefined);
  return [[url, reading, ...(telling ? [telling] : [])].join(", "), ...errors].join("\n");
}
