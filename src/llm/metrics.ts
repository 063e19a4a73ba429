import type { Metrics } from "../kernel/metrics/index.ts";
import type { RequestRow } from "./calls/books.ts";

export interface CallMetrics {
  requested(row: RequestRow): void;
}

export function createCallMetrics(metrics: Metrics): CallMetrics {
  const requests = metrics.counter({
    name: "llm_requests_total",
    help: "Requests to providers of language models",
    labels: ["provider", "outcome"],
  });
  const seconds = metrics.histogram({
    name: "llm_request_seconds",
    help: "How long providers of language models take",
    labels: ["provider"],
  });
  const tokens = metrics.counter({
    name: "llm_tokens_total",
    help: "Tokens read and written by models",
    labels: ["provider", "kind"],
  });
  const cost = metrics.counter({
    name: "llm_cost_usd_total",
    help: "What models have cost, in dollars",
    labels: ["provider"],
  });
  return {
    requested({ provider, outcome, latency_ms, prompt_tokens, completion_tokens, cost_usd }) {
      requests.inc({ provider, outcome });
      seconds.observe({ provider }, latency_ms / 1000);
      tokens.inc({ provider, kind: "prompt" }, prompt_tokens);
      tokens.inc({ provider, kind: "completion" }, completion_tokens);
      cost.inc({ provider }, cost_usd ?? 0);
    },
  };
}
