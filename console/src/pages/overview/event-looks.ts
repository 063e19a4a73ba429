/** The icon of each event. Unlisted ones are neutral, or an error if their result says so. */
import {
  Ban,
  CircleCheck,
  CirclePause,
  CircleX,
  Clock,
  Copy,
  Hand,
  Hourglass,
  Info,
  type LucideIcon,
  RotateCw,
  SearchCheck,
  SearchX,
  Send,
  TriangleAlert,
} from "lucide-react";
import type { DeliveryEvent } from "../../api/index.ts";

export type Tone = "good" | "plain" | "warn" | "bad";

interface Look {
  readonly icon: LucideIcon;
  readonly tone: Tone;
}

const looks: Readonly<Record<string, Look>> = {
  enqueue: { icon: Clock, tone: "plain" },
  send_attempt: { icon: Send, tone: "plain" },
  sent: { icon: CircleCheck, tone: "good" },
  dedup_suppressed: { icon: Copy, tone: "plain" },
  ingress_dedup_dropped: { icon: Copy, tone: "plain" },
  retry_scheduled: { icon: RotateCw, tone: "warn" },
  manual_requeue: { icon: RotateCw, tone: "plain" },
  outcome_unknown: { icon: TriangleAlert, tone: "warn" },
  reconciled_found: { icon: SearchCheck, tone: "good" },
  reconciled_absent: { icon: SearchX, tone: "warn" },
  sending_lease_expired: { icon: Hourglass, tone: "warn" },
  claimed_lease_expired: { icon: Hourglass, tone: "warn" },
  channel_enabled: { icon: CircleCheck, tone: "good" },
  channel_paused: { icon: CirclePause, tone: "warn" },
  channel_disabled: { icon: Ban, tone: "bad" },
  held: { icon: Hand, tone: "warn" },
  released: { icon: CircleCheck, tone: "good" },
  cancelled: { icon: Ban, tone: "plain" },
  stale_dropped: { icon: Ban, tone: "warn" },
  failed_permanent: { icon: CircleX, tone: "bad" },
  dead_letter: { icon: CircleX, tone: "bad" },
};

export function lookOf(event: Pick<DeliveryEvent, "action" | "result">): Look {
  const known = looks[event.action];
  if (known) return known;
  return event.result === "error" ? { icon: CircleX, tone: "bad" } : { icon: Info, tone: "plain" };
}
