import { register } from "prom-client";
import { expect, it } from "vitest";
import { createMetrics } from "./index.ts";

it("shows counters, gauges and histograms under one prefix", async () => {
  const metrics = createMetrics();
  metrics.counter({ name: "sends_total", help: "Sends.", labels: ["platform"] }).inc({ platform: "max" }, 2);
  metrics.gauge({ name: "queue_depth", help: "Waiting." }).set(7);
  metrics.histogram({ name: "send_seconds", help: "How long a send took.", buckets: [1, 5] }).observe(3);

  const text = await metrics.render();
  expect(text).toContain('molva_sends_total{platform="max"} 2');
  expect(text).toContain("molva_queue_depth 7");
  expect(text).toContain('molva_send_seconds_bucket{le="5"} 1');
  expect(text).toContain("molva_process_resident_memory_bytes");
  expect(metrics.contentType).toContain("text/plain");
});

it("asks a collected gauge for its value at every scrape", async () => {
  const metrics = createMetrics();
  let depth = 0;
  metrics.gauge({ name: "depth", help: "Depth.", collect: async (gauge) => gauge.set(++depth) });
  expect(await metrics.render()).toContain("molva_depth 1");
  expect(await metrics.render()).toContain("molva_depth 2");
});

it("keeps to itself: another registry and the global one see nothing", async () => {
  const metrics = createMetrics();
  metrics.counter({ name: "only_here_total", help: "Mine." }).inc();
  expect(await createMetrics().render()).not.toContain("only_here_total");
  expect(await register.metrics()).not.toContain("molva_");
});

it("refuses the same name twice", () => {
  const metrics = createMetrics();
  metrics.counter({ name: "twice_total", help: "Once." });
  expect(() => metrics.counter({ name: "twice_total", help: "Again." })).toThrow("molva_twice_total");
});
