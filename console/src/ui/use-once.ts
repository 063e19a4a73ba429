import { useRef } from "react";

/** The same function, ignored while it is still running. A disabled button comes one render too late for that. */
export function useOnce<A extends readonly unknown[]>(
  work: (...args: A) => Promise<unknown>,
): (...args: A) => void {
  const underWay = useRef(false);
  return (...args) => {
    if (underWay.current) return;
    underWay.current = true;
    void work(...args).finally(() => {
      underWay.current = false;
    });
  };
}
