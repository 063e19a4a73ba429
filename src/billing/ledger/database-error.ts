import { z } from "zod";

/** The error of `raise exception` in our functions. */
const raised = z.object({
  name: z.literal("PostgresError"),
  code: z.literal("P0001"),
  message: z.string(),
  detail: z.string().optional(),
});

export function databaseError(error: unknown): { message: string; detail?: string | undefined } | undefined {
  const read = raised.safeParse(error);
  return read.success ? read.data : undefined;
}
