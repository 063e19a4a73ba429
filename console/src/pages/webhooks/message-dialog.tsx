import { RotateCw } from "lucide-react";
import { useThing } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import {
  Badge,
  Button,
  Dialog,
  Facts,
  Fault,
  Moment,
  Notice,
  Skeleton,
  toast,
  useOnce,
  wordsOf,
} from "../../ui/index.ts";
import { topic, useWebhookActions } from "./api.ts";
import { type MessageInFull, messageInFull } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly mayReplay: boolean;
  readonly onClose: () => void;
}

const tones = { waiting: "busy", sent: "good", failed: "bad" } as const;

/** One message: its body, every attempt, and sending it again. */
export function MessageDialog({ workspaceId, webhookId, eventId, mayReplay, onClose }: Props) {
  const texts = usePageTexts({ ru, en });
  const all = useTexts();
  const { data, error, refetch } = useThing(
    `/webhooks/${encodeURIComponent(webhookId)}/messages/${encodeURIComponent(eventId)}`,
    { workspace_id: workspaceId },
    messageInFull,
    { topic },
  );
  const { replay } = useWebhookActions(workspaceId, webhookId);
  const again = useOnce(async (close: () => void) => {
    const sent = await replay.mutateAsync({ event_id: eventId }).catch(() => undefined);
    if (!sent) return; // shown from replay.error
    close();
    toast(texts.replayed(sent.replayed));
  });
  return (
    <Dialog title={texts.messageTitle} onClose={onClose}>
      {(close) => (
        <>
          {error && !data && <Fault error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton height={240} />}
          {data && <MessageBody message={data} />}
          {replay.error && <Notice tone="bad">{wordsOf(replay.error, all)}</Notice>}
          <div className="form-actions">
            <Button onClick={close}>{all.common.close}</Button>
            {mayReplay && (
              <Button
                look="main"
                icon={<RotateCw aria-hidden="true" />}
                busy={replay.isPending}
                onClick={() => again(close)}
              >
                {texts.replayOne}
              </Button>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}

function MessageBody({ message }: { message: MessageInFull }) {
  const texts = usePageTexts({ ru, en });
  return (
    <>
      <Facts
        facts={[
          [texts.event, <code key="type">{message.type}</code>],
          [
            texts.stateTitle,
            <Badge key="status" tone={tones[message.status]}>
              {texts.status[message.status]}
            </Badge>,
          ],
          [texts.when, <Moment key="when" at={message.created_at} />],
          [texts.nextAttempt, message.next_attempt_at && <Moment key="next" at={message.next_attempt_at} />],
        ]}
      />
      <h3>{texts.attempts}</h3>
      {message.log.length === 0 && <p className="soft">{texts.noAttempts}</p>}
      <ol className="stack">
        {message.log.map((attempt) => (
          <li key={attempt.number}>
            {texts.attemptOf(attempt.number)}, <Moment at={attempt.started_at} />:{" "}
            {texts.answerOf(attempt.response_status, attempt.error)}
            {attempt.duration_ms !== null && `, ${texts.tookMs(attempt.duration_ms)}`}
            {attempt.response_body && <pre className="raw">{attempt.response_body}</pre>}
          </li>
        ))}
      </ol>
      <h3>{texts.body}</h3>
      <pre className="raw">{JSON.stringify(message.payload, null, 2)}</pre>
    </>
  );
}
