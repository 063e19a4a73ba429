import type { Module } from "../../module/index.ts";

/** `docs/reference/metrics.md`. */
export function renderMetricReference(modules: readonly Module[]): string {
  const rows = modules.flatMap(({ name: module, metrics = [] }) =>
    metrics.map(({ name, help, labels = [] }) => {
      const by = labels.map((label) => `\`${label}\``).join(", ");
      return `| \`molva_${name}\` | ${by} | ${help}. | ${module} |`;
    }),
  );
  return `# Metrics

\`GET /metrics\` shows these to Prometheus, besides those of the Node.js process (\`molva_process_*\`, \`molva_nodejs_*\`). Each
process of an installation has its own; gauges of deliveries come from the database and are the same in all of them.

Made by \`npm run generate\` from the \`metrics\` of each module.

| Name | Labels | Meaning | Module |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}
