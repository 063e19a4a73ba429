import type { CompiledRequest } from "../contract.ts";
import type { RequestOutcome } from "../send-series.ts";
import type { Writing } from "./page-json.ts";
import { writePage } from "./write-page.ts";

/** Sends a page without pictures. */
export function sendText(request: CompiledRequest, writing: Writing): Promise<RequestOutcome> {
  return writePage(request, writing);
}
