import { MtPeerNotFoundError, MtTimeoutError, tl } from "@mtcute/core";
import type { SendError } from "../../contract.ts";
import { no, yes } from "../answers.ts";
import type { Answer } from "../contract.ts";
import { loginErrorOf, networkError, type RpcRefusal, sendErrorOf } from "../rpc-errors.ts";

/** Telegram's refusal, or undefined if the error is something else. */
export function refusalOf(error: unknown): RpcRefusal | undefined {
  if (!tl.RpcError.is(error)) return undefined;
  const { code, text } = error;
  const seconds = "seconds" in error && typeof error.seconds === "number" ? { seconds: error.seconds } : {};
  return { code, text, ...seconds };
}

/** The error for a missing answer or a timeout. Anything else that is thrown is a bug. */
export function silenceOf(error: unknown): SendError | undefined {
  if (error instanceof MtTimeoutError) return networkError("Telegram did not answer in time");
  if (isAbort(error)) return networkError("the call was given up");
  if (error instanceof Error && /client is destroyed|connection is (closed|destroyed)/i.test(error.message))
    return networkError("the connection was closed");
  return undefined;
}

/** The result of a read-only call, or its refusal. */
export function answered<T>(work: Promise<T>, asked: "account" | "login" = "account"): Promise<Answer<T>> {
  return work.then(yes, (error: unknown) => no(errorOf(error, asked)));
}

export function errorOf(error: unknown, asked: "account" | "login" = "account"): SendError {
  const refusal = refusalOf(error);
  if (refusal) return asked === "login" ? loginErrorOf(refusal) : sendErrorOf(refusal);
  if (error instanceof MtPeerNotFoundError) return sendErrorOf({ code: 400, text: "USERNAME_NOT_OCCUPIED" });
  const silence = silenceOf(error);
  if (silence) return silence;
  throw error;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
