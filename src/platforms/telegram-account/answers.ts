import type { SendError } from "../contract.ts";
import type { Answer } from "./contract.ts";

export const yes = <T>(value: T): Answer<T> => ({ ok: true, value });
export const no = (error: SendError): { readonly ok: false; readonly error: SendError } => ({
  ok: false,
  error,
});
