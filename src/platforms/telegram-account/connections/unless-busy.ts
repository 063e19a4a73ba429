import type { SendError } from "../../contract.ts";
import { no } from "../answers.ts";
import type { Answer } from "../contract.ts";
import { networkError } from "../rpc-errors.ts";
import { BusyElsewhere } from "./connections.ts";

/** An account that is open elsewhere is out of reach for now, as without a network. */
export function unlessBusy<T>(work: Promise<Answer<T>>): Promise<Answer<T>> {
  return work.catch((error: unknown) => no(ifBusy(error)));
}

/** Only that is expected: anything else is a bug and goes on. */
export function ifBusy(error: unknown): SendError {
  if (error instanceof BusyElsewhere) return networkError(error.message);
  throw error;
}
