import { Badge } from "../../ui/index.ts";
import type { Delivery } from "./shapes.ts";
import { stageOf, tones } from "./status.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

/** How far a delivery came, in a word or two. */
export function StageBadge({ delivery }: { delivery: Pick<Delivery, "status" | "held" | "withdrawn_at"> }) {
  const { stage: words } = usePostsTexts();
  const stage = stageOf(delivery);
  return <Badge tone={tones[stage]}>{words[stage]}</Badge>;
}
