export function verdictOf(
  report: unknown,
  options?: { ifReachable?: boolean; onlyTell?: boolean },
): { lines: string[]; exitCode: number };
