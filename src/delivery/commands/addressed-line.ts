import type { z } from "zod";
import { moment } from "../../terminal/index.ts";
import type { addressedSchema } from "../deliveries/index.ts";

/** The product of an addressed delivery, until when a person waits for it, and what its product was told. */
export function addressedLine({
  product,
  user,
  run,
  step,
  wait_until,
  told,
  told_at,
}: z.infer<typeof addressedSchema>): string {
  if (!product) return "addressed";
  const end = told && told_at ? `told "${told}" ${moment(told_at)}` : "";
  const waiting = wait_until && !end ? `waited for until ${moment(wait_until)}` : "";
  return [`addressed by ${product} for ${user}, ${run}/${step}`, waiting, end].filter(Boolean).join(", ");
}
