import { useMemo } from "react";

/** A value that depends on the time is worked out once for each query: otherwise every render would ask for something new. */
export function useSteady<T>(query: object, work: (now: Date) => T): T {
  const key = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the query that the work reads
  return useMemo(() => work(new Date()), [key]);
}
