import type { MetricSpec, Metrics } from "../kernel/metrics/index.ts";
import type { RequestRow } from "./calls/books.ts";

export const llmMetrics = {
  requests: {
    name: "llm_requests_total",
    help: "Requests to providers of language models",
    labels: ["provider", "outcome"],
  },
  seconds: {
    name: "llm_request_seconds",
    help: "How long providers of language models take",
    labels: ["provider"],
  },
  tokens: {
    name: "llm_tokens_total",
    help: "Tokens read and written by models",
    labels: ["provider", "kind"],
  },
  cost: {
    name: "llm_cost_usd_total",
    help: "What models have cost, in dollars",
    labels: ["provider"],
  },
} as const satisfies Record<string, MetricSpec>;

export interface CallMetrics {
  requested(row: RequestRow): void;
}

export function createCallMetrics(metrics: Metrics): CallMetrics {
  const requests = metrics.counter(llmMetrics.requests);
  const seconds = metrics.histogram(llmMetrics.seconds);
  const tokens = metrics.counter(llmMetrics.tokens);
  const cost = metrics.counter(llmMetrics.cost);
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
