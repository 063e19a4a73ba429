import { KeyRound, Pencil, Power, RotateCw, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { useThing, type Workspace } from "../../api/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import {
  Button,
  Card,
  Facts,
  Moment,
  Notice,
  Page,
  Thing,
  Toolbar,
  wordsOf,
  ZonedTime,
} from "../../ui/index.ts";
import { topic, useWebhookActions } from "./api.ts";
import { MessageLog } from "./message-log.tsx";
import { type EventType, eventTypes, type Webhook, webhook } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { type Doing, WebhookDialog } from "./webhook-dialogs.tsx";
import { WebhookState } from "./webhook-state.tsx";

export function WebhookPage({ workspace, params }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const query = useThing(
    `/webhooks/${encodeURIComponent(params.id ?? "")}`,
    { workspace_id: workspace.id },
    webhook,
    { topic },
  );
  return (
    <Thing query={query} list={{ path: "/webhooks", title: texts.title }}>
      {(found) => <OneWebhook workspace={workspace} webhook={found} />}
    </Thing>
  );
}

function OneWebhook({ workspace, webhook: found }: { workspace: Workspace; webhook: Webhook }) {
  const texts = usePageTexts({ ru, en });
  const all = useTexts();
  const [doing, setDoing] = useState<Doing | null>(null);
  const { test } = useWebhookActions(workspace.id, found.webhook_id);
  const mayChange = workspace.scopes.includes("admin");
  const mayOperate = workspace.scopes.includes("operate");
  return (
    <Page
      title={found.url}
      lead={found.description ?? texts.oneLead}
      aside={
        <Toolbar>
          {mayOperate && (
            <Button
              icon={<Send aria-hidden="true" />}
              busy={test.isPending}
              onClick={() => test.mutate(undefined)}
            >
              {texts.test}
            </Button>
          )}
          {mayChange && (
            <>
              <Button icon={<Pencil aria-hidden="true" />} onClick={() => setDoing("change")}>
                {all.common.change}
              </Button>
              <Button icon={<KeyRound aria-hidden="true" />} onClick={() => setDoing("rotate")}>
                {texts.rotate}
              </Button>
              <Button
                icon={<Power aria-hidden="true" />}
                onClick={() => setDoing(found.enabled ? "disable" : "enable")}
              >
                {found.enabled ? texts.disable : texts.enable}
              </Button>
              <Button look="danger" icon={<Trash2 aria-hidden="true" />} onClick={() => setDoing("remove")}>
                {all.common.remove}
              </Button>
            </>
          )}
        </Toolbar>
      }
    >
      {found.disabled_reason && (
        <Notice tone="bad" title={texts.disabledItself[found.disabled_reason]}>
          <p>{texts.disabledItselfHint}</p>
        </Notice>
      )}
      {test.error && <Notice tone="bad">{wordsOf(test.error, all)}</Notice>}
      {test.data && (
        <Notice
          tone={test.data.delivered ? "good" : "bad"}
          title={
            test.data.delivered
              ? texts.testArrived(test.data.response_status)
              : texts.testFailed(test.data.response_status, test.data.error)
          }
        >
          {!test.data.delivered && <p>{texts.testFailedHint}</p>}
        </Notice>
      )}
      <WebhookFacts webhook={found} zone={Intl.DateTimeFormat().resolvedOptions().timeZone} />
      <MessageLog
        workspaceId={workspace.id}
        id={found.webhook_id}
        mayReplay={mayOperate && found.enabled}
        aside={
          mayOperate &&
          found.enabled &&
          found.failed > 0 && (
            <Button icon={<RotateCw aria-hidden="true" />} onClick={() => setDoing("replay")}>
              {texts.replayFailed}
            </Button>
          )
        }
      />
      {doing && (
        <WebhookDialog
          doing={doing}
          webhook={found}
          workspaceId={workspace.id}
          onClose={() => setDoing(null)}
        />
      )}
    </Page>
  );
}

function WebhookFacts({ webhook: found, zone }: { webhook: Webhook; zone: string }) {
  const texts = usePageTexts({ ru, en });
  const { numbers } = useTexts();
  const { types, failing_since: failing, previous_ends_at: overlap } = found;
  const named = (type: string) => {
    const known = eventTypes.find((each): each is EventType => each === type);
    return known ? texts.types[known] : type;
  };
  return (
    <Card title={texts.facts} aside={<WebhookState webhook={found} />}>
      <Facts
        facts={[
          [texts.events, types === null ? texts.allEvents : types.map(named).join("; ")],
          [texts.channels, found.channel_ids && texts.channelsOf(found.channel_ids.length)],
          [texts.waiting, numbers.format(found.waiting)],
          [texts.failed, numbers.format(found.failed)],
          [texts.failingSince, failing && <Moment key="failing" at={failing} />],
          [
            texts.oldSecretUntil,
            overlap && new Date(overlap) > new Date() && <ZonedTime key="overlap" at={overlap} zone={zone} />,
          ],
          [texts.created, <Moment key="created" at={found.created_at} />],
        ]}
      />
    </Card>
  );
}
