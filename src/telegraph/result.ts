import type { Loss } from "../content/index.ts";

/** The result of a call about a page. */
export type PageResult =
  | { readonly kind: "ok"; readonly url: string; readonly path: string; readonly losses: readonly Loss[] }
  | { readonly kind: "failed"; readonly failure: Failure };

export type Failure =
  /** No answer, or none from Telegraph itself; no page was created. */
  | { readonly code: "unreachable"; readonly detail: string }
  /** A page may have been created, and the search for it failed. */
  | { readonly code: "uncertain"; readonly detail: string }
  /** The wait that Telegraph demands ends after the caller's deadline. */
  | { readonly code: "busy"; readonly retryAfterMs: number }
  | { readonly code: "empty" }
  /** The page is not there, or not ours. */
  | { readonly code: "not_editable"; readonly providerCode: string }
  | { readonly code: "refused"; readonly providerCode: string };
