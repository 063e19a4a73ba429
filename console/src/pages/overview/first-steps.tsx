import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import * as z from "zod/mini";
import { useList, type Workspace } from "../../api/index.ts";
import { Link } from "../../router/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Card, CopyLine } from "../../ui/index.ts";
import { en } from "./first-steps.en.ts";
import { ru } from "./first-steps.ru.ts";
import { sampleRequest } from "./sample-request.ts";
import "./first-steps.css";

const endpoint = z.object({ enabled: z.boolean() });

/** The way from an empty server to its first post: what is done is known by the state, not by what was clicked. */
export function FirstSteps({ workspace, channels }: { workspace: Workspace; channels: number }) {
  const texts = usePageTexts({ ru, en });
  const { overview } = useTexts();
  const endpoints = useList("/endpoints", { workspace_id: workspace.id, enabled: true }, endpoint, {
    topic: "endpoints",
    limit: 1,
  });
  const mayWrite = workspace.scopes.includes("write");
  const hasEndpoint = (endpoints.items?.length ?? 0) > 0;
  return (
    <Card title={overview.startTitle}>
      <ol className="first-steps">
        <Step done title={texts.workspace(workspace.name)} />
        <Step done={channels > 0} title={texts.channel} hint={texts.channelHint}>
          {mayWrite && (
            <Link className="button main" href="/channels/new">
              {texts.toChannel}
            </Link>
          )}
        </Step>
        <Step done={false} title={texts.post} hint={texts.postHint}>
          {mayWrite && (
            <Link className={channels > 0 ? "button main" : "button plain"} href="/compose">
              {texts.toPost}
            </Link>
          )}
        </Step>
        <Step done={hasEndpoint} title={texts.endpoint} hint={texts.endpointHint}>
          {mayWrite && (
            <Link className="button plain" href="/endpoints">
              {texts.toEndpoint}
            </Link>
          )}
          {hasEndpoint && (
            <CopyLine text={sampleRequest(location.origin, overview.sampleSecret, overview.samplePost)} />
          )}
        </Step>
      </ol>
      {!mayWrite && <p className="first-steps-foot">{texts.askOthers}</p>}
      <p className="first-steps-foot">{texts.commands}</p>
    </Card>
  );
}

interface StepProps {
  readonly done: boolean;
  readonly title: string;
  readonly hint?: string;
  readonly children?: ReactNode;
}

function Step({ done, title, hint, children }: StepProps) {
  const texts = usePageTexts({ ru, en });
  const Icon = done ? CircleCheck : CircleDashed;
  return (
    <li className={done ? "done" : undefined}>
      <Icon role="img" aria-label={done ? texts.done : texts.open} />
      <div>
        <strong>{title}</strong>
        {!done && hint && <p>{hint}</p>}
        {children}
      </div>
    </li>
  );
}
