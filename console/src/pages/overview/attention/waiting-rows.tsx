import { useState } from "react";
import * as z from "zod/mini";
import { type Attention, ask, useChange, type Workspace, withQuery } from "../../../api/index.ts";
import { Link } from "../../../router/index.ts";
import { usePageTexts } from "../../../texts/index.ts";
import { AskDialog, Button, toast } from "../../../ui/index.ts";
import { AttentionRow } from "./attention-row.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const changed = z.object({ changed: z.number() });

/** Deliveries whose process may be gone. */
export function StuckRow({ stuck, workspace }: { stuck: Attention["stuck"]; workspace: Workspace }) {
  const texts = usePageTexts({ ru, en });
  const [asking, setAsking] = useState(false);
  const release = useChange(
    (reason: string) =>
      ask(withQuery("/deliveries/release-stuck", { workspace_id: workspace.id }), changed, {
        method: "POST",
        body: { reason },
      }),
    ["deliveries", "messages", "overview"],
  );
  return (
    <AttentionRow
      tone="bad"
      title={texts.stuck(stuck.count)}
      hint={texts.stuckHint}
      actions={
        workspace.scopes.includes("operate") && (
          <>
            <Button onClick={() => setAsking(true)}>{texts.release}</Button>
            {asking && (
              <AskDialog
                title={texts.release}
                submit={texts.release}
                asksReason
                act={async (reason) => toast(texts.released((await release.mutateAsync(reason)).changed))}
                onClose={() => setAsking(false)}
              >
                <p>{texts.stuckHint}</p>
              </AskDialog>
            )}
          </>
        )
      }
    />
  );
}

/** Deliveries that a person, or a rule about old posts, keeps back. */
export function HeldRow({ held }: { held: Attention["held"] }) {
  const texts = usePageTexts({ ru, en });
  return (
    <AttentionRow
      tone="warn"
      title={texts.held(held.count)}
      hint={texts.heldHint}
      actions={
        <Link className="button plain" href="/plan">
          {texts.open}
        </Link>
      }
    />
  );
}
