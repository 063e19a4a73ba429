import { Play } from "lucide-react";
import { type StoppedChannel, tell, useChange, type Workspace, withQuery } from "../../../api/index.ts";
import { Link } from "../../../router/index.ts";
import { usePageTexts, useTexts } from "../../../texts/index.ts";
import { Button, Moment, Notice, toast, wordsOf } from "../../../ui/index.ts";
import { AttentionRow } from "./attention-row.tsx";
import { channelName } from "./channel-name.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

export function StoppedRow({ stopped, workspace }: { stopped: StoppedChannel; workspace: Workspace }) {
  const texts = usePageTexts({ ru, en });
  const common = useTexts();
  const { channel, state, since, until, stopped_by, operator, reason, error_code, remedy } = stopped;
  const name = channelName(channel);
  const resume = useChange(
    () =>
      tell(withQuery(`/channels/${channel.id}/resume`, { workspace_id: workspace.id }), {
        method: "POST",
        body: {},
      }),
    ["channels", "deliveries", "overview"],
  );
  const mayResume = workspace.scopes.includes("operate") && state !== "silent";
  const by =
    stopped_by === "refusals" ? texts.byRefusals : operator === null ? null : texts.byOperator(operator);
  const why = [by, reason].filter((part) => part !== null && part !== "").join(": ");
  return (
    <AttentionRow
      tone={state === "disabled" ? "bad" : "warn"}
      title={
        <>
          <Link href={`/channels/${channel.id}`}>{common.quote(name)}</Link> {texts.state[state]}
        </>
      }
      hint={stopped_by === "refusals" ? texts.cause[remedy] : undefined}
      detail={
        <>
          {error_code && (
            <>
              <code>{error_code}</code>{" "}
            </>
          )}
          {why}
          {since && (
            <>
              {why && " · "}
              <Moment at={since} />
            </>
          )}
          {until && (
            <>
              {" · "}
              {texts.until} <Moment at={until} />
            </>
          )}
          {resume.isError && <Notice tone="bad">{wordsOf(resume.error, common)}</Notice>}
        </>
      }
      actions={
        mayResume && (
          <Button
            icon={<Play aria-hidden="true" />}
            busy={resume.isPending}
            onClick={() => resume.mutate(undefined, { onSuccess: () => toast(texts.resumed(name)) })}
          >
            {texts.resume}
          </Button>
        )
      }
    />
  );
}
