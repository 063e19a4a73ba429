import { useQuery } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { ask, type Failure, useChange, type Workspace, withQuery } from "../../../api/index.ts";
import { Link } from "../../../router/index.ts";
import { usePageTexts, useTexts } from "../../../texts/index.ts";
import { AskDialog, Button, Moment, Notice, toast, wordsOf } from "../../../ui/index.ts";
import { type Choice, channelChoice, credentialChoice } from "../recover-choices.ts";
import { RecoverDialog } from "../recover-dialog.tsx";
import { AttentionRow } from "./attention-row.tsx";
import { channelName } from "./channel-name.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const changed = z.object({ changed: z.number() });

interface Props {
  readonly failure: Failure;
  readonly since: string;
  readonly workspace: Workspace;
}

export function FailureRow({ failure, since, workspace }: Props) {
  const texts = usePageTexts({ ru, en });
  const common = useTexts();
  const { quote, recover } = common;
  const [asking, setAsking] = useState(false);
  const requeue = useChange(
    (reason: string) => askToRequeue(workspace.id, { reason, filter: requeueFilter(failure, since) }),
    ["deliveries", "messages", "overview"],
  );
  const rehearsal = useQuery({
    queryKey: ["rehearsal", workspace.id, requeueFilter(failure, since)],
    queryFn: () =>
      askToRequeue(workspace.id, {
        reason: "rehearsal",
        dry_run: true,
        filter: requeueFilter(failure, since),
      }),
    enabled: asking && failure.again === "requeue",
    ...{ gcTime: 0, staleTime: 0 },
  });
  const [first] = failure.sample_deliveries;
  const names = failure.sample_channels.map((channel) => quote(channelName(channel))).join(", ");
  const choice = choiceFor(failure);
  // Failures of many channels are sent again from their list, where they can be looked at and counted.
  const isOfOneChannel = failure.channels === 1;
  const mayAct =
    workspace.scopes.includes("operate") &&
    (failure.again === "recover" || (failure.again === "requeue" && isOfOneChannel));
  return (
    <AttentionRow
      tone="bad"
      title={
        <>
          {texts.failed(failure.deliveries, failure.posts)}:{" "}
          {texts.inChannels(names, failure.channels - failure.sample_channels.length)}
        </>
      }
      hint={texts.cause[failure.remedy]}
      detail={
        <>
          <code>{failure.code}</code> {failure.message} · <Moment at={failure.last_at} />
        </>
      }
      actions={
        <>
          {failure.cause.channel_id && (
            <Link className="button plain" href={`/channels/${failure.cause.channel_id}`}>
              {texts.toChannel}
            </Link>
          )}
          {!failure.cause.channel_id && first && (
            <Link
              className="button plain"
              href={
                failure.deliveries === 1 ? `/deliveries/${first}` : "/deliveries?status=failed_permanent,dead"
              }
            >
              {texts.open}
            </Link>
          )}
          {mayAct && (
            <Button icon={<RotateCcw aria-hidden="true" />} onClick={() => setAsking(true)}>
              {texts.again}
            </Button>
          )}
          {asking && failure.again === "recover" && (
            <RecoverDialog
              workspaceId={workspace.id}
              {...(choice && { first: choice })}
              onRecovered={({ recovered, resumed }) => toast(recover.done(recovered, resumed))}
              onClose={() => setAsking(false)}
            />
          )}
          {asking && failure.again === "requeue" && (
            <AskDialog
              title={texts.again}
              submit={texts.again}
              asksReason
              mayAct={rehearsal.data !== undefined && rehearsal.data.changed > 0}
              act={async (reason) => toast(texts.resent((await requeue.mutateAsync(reason)).changed))}
              onClose={() => setAsking(false)}
            >
              {rehearsal.error && <Notice tone="bad">{wordsOf(rehearsal.error, common)}</Notice>}
              <p role="status">
                {rehearsal.data ? texts.requeueLead(rehearsal.data.changed) : common.common.loading}
              </p>
            </AskDialog>
          )}
        </>
      }
    />
  );
}

/** What failed in the one channel for a fault of its own, or ran out of attempts. */
function requeueFilter({ sample_channels: [only] }: Failure, since: string) {
  return { status: ["dead", "failed_permanent"], since, channel_id: only?.id };
}

function askToRequeue(workspaceId: string, body: object) {
  return ask(withQuery("/deliveries/requeue", { workspace_id: workspaceId }), changed, {
    method: "POST",
    body,
  });
}

/** What the dialog begins with: the channel or the credential that the failures are about. */
function choiceFor({ cause, channels, sample_channels: [only] }: Failure): Choice | undefined {
  if (cause.platform && cause.auth_ref) return credentialChoice(cause.platform, cause.auth_ref);
  return channels === 1 && only ? channelChoice(only.id, channelName(only)) : undefined;
}
