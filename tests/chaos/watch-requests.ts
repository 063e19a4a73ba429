import type { Watch } from "./gate.ts";
import type { Trap } from "./trap.ts";

/** Parses HTTP far enough to see a sending call arrive, and its answer come back. */
export function watchRequests(trap: Trap): Watch {
  let sends = false;
  const isSend = ({ statement }: { statement?: string }) => statement === undefined;
  return {
    request(bytes) {
      const method = bytes.subarray(0, 5).toString("latin1");
      if (method !== "POST " && !method.startsWith("GET ")) return true;
      sends = method === "POST ";
      return !(sends && trap.springs("before", isSend));
    },
    answer: () => !(sends && trap.springs("after", isSend)),
  };
}
