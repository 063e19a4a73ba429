/** What one template may cost. It is rendered in the server's own process, so everything about it is bounded. */
export const templateLimits = {
  /** Longest body, in characters. */
  body: 64 * 1024,
  /** Longest rendered text, in bytes of UTF-8. */
  output: 64 * 1024,
  renderMs: 500,
  /** Units of liquidjs: characters made by filters and elements made by ranges and arrays. */
  memory: 1_000_000,
} as const;
