import { setTimeout as delay } from "node:timers/promises";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { jsonOf } from "../classify.ts";
import { refusalShape } from "./classify.ts";
import { limits } from "./limits.ts";

/** VK's "Too many requests per second". */
const tooFast = 6;
const tries = 4;

/**
 * Asks again what VK refused because a second's requests were used up. To look at a key and its wall takes four requests at once,
 * and a person's key may make three a second. Sending does not wait like this: it has slots, and attempts that are recorded.
 */
export function patient(
  http: HttpClient,
  pause: (ms: number) => Promise<unknown> = (ms) => delay(ms),
): HttpClient {
  return {
    async request(asked) {
      for (let tried = 1; ; tried += 1) {
        const answer = await http.request(asked);
        const refusal = answer.kind === "failure" ? undefined : refusalShape.safeParse(jsonOf(answer)).data;
        if (refusal?.error.error_code !== tooFast || tried === tries) return answer;
        await pause((tried * 1_000) / limits.perAccountPerSecond);
      }
    },
  };
}
