export interface Pattern {
  readonly file: string;
  readonly line: number;
  /** Of a literal. */
  readonly source?: string;
  readonly flags?: string;
  /** Of a pattern that is put together: the call that makes it. */
  readonly code?: string;
}
export interface Exception {
  readonly file: string;
  readonly source: string;
  readonly why: string;
}
export interface Made {
  readonly file: string;
  readonly code: string;
  readonly examples: readonly RegExp[];
}
export function patternsIn(file: string, text: string): Pattern[];
export function judge(
  patterns: readonly Pattern[],
  exceptions?: readonly Exception[],
  examples?: readonly Made[],
): string[];
export function allPatterns(): Pattern[];
