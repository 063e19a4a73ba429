import { problem } from "../../../http/index.ts";
import type { By } from "../../../workspaces/index.ts";
import type { SourceView } from "../../pull/index.ts";

/** Whether the change affects where the source's secret is sent, or what is read with it. */
export function needsAdmin(
  { has_secret, config: before }: SourceView,
  after: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return has_secret && after !== undefined && readsElsewhere(before, after);
}

/** Whether this is another list: another address, or another query. */
export function readsElsewhere(before: unknown, after: Readonly<Record<string, unknown>>): boolean {
  const settled: Readonly<Record<string, unknown>> = { ...Object(before) };
  return ["url", "query"].some((name) => settled[name] !== after[name]);
}

/** Refuses a caller without the scope `admin`. */
export function requireAdmin({ isAdmin = false }: By, what: string): void {
  if (!isAdmin) throw problem("scope_missing", { detail: `${what} needs the scope "admin".` });
}
