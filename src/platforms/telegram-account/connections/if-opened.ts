import type { SendError } from "../../contract.ts";
import { no } from "../answers.ts";
import type { Answer } from "../contract.ts";
import { networkError } from "../rpc-errors.ts";
import { CannotOpen } from "./connections.ts";

/** An account that cannot be opened is temporarily unavailable, as without a network. */
export function ifOpened<T>(work: Promise<Answer<T>>): Promise<Answer<T>> {
  return work.catch((error: unknown) => no(unopened(error)));
}

/** Only `CannotOpen` is expected: anything else is a bug and is thrown. */
export function unopened(error: unknown): SendError {
  if (error instanceof CannotOpen) return networkError(error.message);
  throw error;
}
