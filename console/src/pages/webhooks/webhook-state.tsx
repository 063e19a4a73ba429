import { usePageTexts } from "../../texts/index.ts";
import { Badge } from "../../ui/index.ts";
import type { Webhook } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Whether the receiver hears of events. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { state } = usePageTexts({ ru, en });
  if (!webhook.enabled)
    return <Badge tone={webhook.disabled_reason ? "bad" : "idle"}>{state.disabled}</Badge>;
  return webhook.failing_since ? (
    <Badge tone="bad">{state.failing}</Badge>
  ) : (
    <Badge tone="good">{state.enabled}</Badge>
  );
}
