import { eventActions } from "../../delivery/index.ts";

/** `docs/reference/events.md`. */
export function renderEventReference(): string {
  const rows = Object.entries(eventActions).map(
    ([action, { en, ru }]) => `| \`${action}\` | ${en} | ${ru} |`,
  );
  return `# Events

The audit trail, \`workspaces.events\` and \`GET /api/v1/events\`: what happened to a post, a delivery, a channel or a request,
in the order in which it happened. \`result\` is \`ok\` or \`error\`; \`attempt\` is the delivery's attempt at that moment, 0
without a delivery; \`error\` and \`meta\` hold the details.

Журнал событий: что и в каком порядке произошло с постом, доставкой, каналом или запросом. \`result\` равен \`ok\` или
\`error\`; \`attempt\` показывает номер попытки в тот момент, 0 без доставки; подробности в \`error\` и \`meta\`.

Made by \`npm run generate\` from \`src/delivery/events.ts\`.

| Action | Meaning | Значение |
| --- | --- | --- |
${rows.join("\n")}
`;
}
