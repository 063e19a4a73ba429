import { usePageTexts } from "../../texts/index.ts";
import { Badge } from "../../ui/index.ts";
import type { Endpoint } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Whether posts come in. */
export function EndpointState({ endpoint: { enabled, replaced_by } }: { endpoint: Endpoint }) {
  const texts = usePageTexts({ ru, en });
  if (replaced_by !== null) return <Badge tone="idle">{texts.state.replaced}</Badge>;
  return enabled ? (
    <Badge tone="good">{texts.state.open}</Badge>
  ) : (
    <Badge tone="warn">{texts.state.closed}</Badge>
  );
}
