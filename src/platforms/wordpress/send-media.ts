import type { CompiledRequest } from "../contract.ts";
import type { RequestOutcome } from "../send-series.ts";
import type { Writing } from "./page-json.ts";
import { writePage } from "./write-page.ts";

/** Sends a page with pictures: uploads each once, then creates the page with all of them. */
export function sendMedia(request: CompiledRequest, writing: Writing): Promise<RequestOutcome> {
  return writePage(request, writing);
}
