import { z } from "zod";
import { RunTaken } from "./run-failure.ts";

const taken = z.object({ name: z.literal("PostgresError"), message: z.literal("run_is_taken") });

/** Runs a statement; `RunTaken` if it was refused because another process has the run. */
export async function takenOr<T>(statement: () => PromiseLike<T>): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    throw taken.safeParse(error).success ? new RunTaken() : error;
  }
}
