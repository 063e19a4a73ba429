import { Ban, LifeBuoy, RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/index.ts";
import { CountedDialog } from "./counted-dialog.tsx";
import type { DeliveryFilter } from "./filter.ts";
import { type Asked, type Chosen, cancelMany, possibleFor, recoverMany, requeueMany } from "./requests.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

interface Props {
  readonly workspaceId: string;
  readonly chosen: ReadonlySet<string>;
  readonly filter: DeliveryFilter;
  readonly onDone: () => void;
}

type Kind = "cancel" | "requeue" | "recover";

/** The server wants to know how far back to look; nothing is kept longer than this. */
const longAgo = "2000-01-01T00:00:00Z";

/** Work on the chosen rows, or on everything that fits the filter, also on pages that are not shown. */
export function BulkBar({ workspaceId, chosen, filter, onDone }: Props) {
  const { bulk: texts } = usePostsTexts();
  const [asking, setAsking] = useState<Kind | null>(null);
  const hasChosen = chosen.size > 0;
  const which: Chosen = hasChosen ? { ids: [...chosen] } : { filter };
  const possible = hasChosen ? { cancel: true, requeue: true } : possibleFor(filter);
  if (!possible.cancel && !possible.requeue) return null;
  const work: Record<Kind, (asked: Asked) => ReturnType<typeof cancelMany>> = {
    cancel: (asked) => cancelMany(workspaceId, which, asked),
    requeue: (asked) => requeueMany(workspaceId, which, asked),
    recover: (asked) =>
      recoverMany(workspaceId, { channel: filter.channel, since: filter.since ?? longAgo }, asked),
  };
  return (
    <section className={hasChosen ? "bulk chosen" : "bulk"} aria-label={texts.label}>
      <strong>{hasChosen ? texts.chosen(chosen.size) : texts.everything}</strong>
      {possible.requeue && (
        <Button icon={<RotateCw aria-hidden="true" />} onClick={() => setAsking("requeue")}>
          {texts.requeue}
        </Button>
      )}
      {possible.cancel && (
        <Button icon={<Ban aria-hidden="true" />} onClick={() => setAsking("cancel")}>
          {texts.cancel}
        </Button>
      )}
      {hasChosen ? (
        <Button look="quiet" onClick={onDone}>
          {texts.unchoose}
        </Button>
      ) : (
        possible.requeue && (
          <Button icon={<LifeBuoy aria-hidden="true" />} onClick={() => setAsking("recover")}>
            {texts.recover}
          </Button>
        )
      )}
      {asking && (
        <CountedDialog
          kind={asking}
          title={texts.titles[asking]}
          hint={asking === "recover" ? texts.recoverHint : undefined}
          rehearsalKey={["bulk", workspaceId, asking, which, filter]}
          act={work[asking]}
          onDone={onDone}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}
