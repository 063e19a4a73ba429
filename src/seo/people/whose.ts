import { z } from "zod";

/** The person for whom something is read or changed. What belongs to others does not exist for them. */
export interface Whose {
  readonly workspaceId: string;
  /** The Telegram id. */
  readonly userId: number;
}

/** A Telegram id in a path or at the command line, where it is text. */
export const userIdText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "The person's Telegram id: a whole number above zero")
  .transform(Number);

/** The id of a project, a category and so on in a path: a positive integer of the database. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, "A whole number above zero")
  .transform(Number)
  .refine((id) => id <= 2_147_483_647, "A whole number above zero");
