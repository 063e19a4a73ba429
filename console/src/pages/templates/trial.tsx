import { useState } from "react";
import type { Workspace } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { AreaField, Badge, Card, Notice, SelectField, Skeleton, wordsOf } from "../../ui/index.ts";
import { jsonObject } from "./json-object.ts";
import { MarkedText } from "./marked-text.tsx";
import type { Rendering } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useChannels, useTrial } from "./use-templates.ts";

interface Props {
  readonly workspace: Workspace;
  readonly templateId: string | undefined;
  readonly body: string;
  /** Undefined while they cannot be read. */
  readonly defaults: Readonly<Record<string, unknown>> | undefined;
}

/** The text in the editor, tried on a sample post while it is written. */
export function TrialCard({ workspace, templateId, body, defaults }: Props) {
  const { trial: texts, ...page } = usePageTexts({ ru, en });
  const common = useTexts();
  const platforms: Readonly<Record<string, string>> = common.platforms;
  const channels = useChannels(workspace.id).items;
  const [picked, setPicked] = useState<string | null>(null);
  const [sample, setSample] = useState(() =>
    JSON.stringify(
      { title: texts.sampleTitle, text: texts.sampleText, url: "https://example.org/1" },
      null,
      2,
    ),
  );
  const channelId =
    picked ??
    (channels?.find(({ template_ref }) => template_ref === templateId) ?? channels?.[0])?.channel_id;
  const payload = jsonObject(sample);
  const isReady = channelId !== undefined && payload && defaults && body !== "";
  const result = useTrial(
    workspace.id,
    isReady ? { channel_id: channelId, payload, template: { body, defaults } } : undefined,
  );
  if (channels?.length === 0)
    return (
      <Card title={texts.title}>
        <p className="template-soft">{texts.noChannels}</p>
      </Card>
    );
  return (
    <Card title={texts.title} className="trial">
      <p className="template-soft">{texts.hint}</p>
      <SelectField
        label={texts.channel}
        value={channelId ?? ""}
        onChange={(event) => setPicked(event.target.value)}
      >
        {channels?.map(({ channel_id, title, target_id, platform }) => (
          <option key={channel_id} value={channel_id}>
            {title ?? target_id} ({platforms[platform] ?? platform})
          </option>
        ))}
      </SelectField>
      <AreaField
        label={texts.sample}
        hint={texts.sampleHint}
        fault={payload ? undefined : page.editor.jsonWrong}
        className="code"
        rows={5}
        spellCheck={false}
        value={sample}
        onChange={(event) => setSample(event.target.value)}
      />
      <div className="trial-result" role="status">
        {result.error && <Notice tone="bad">{wordsOf(result.error, common)}</Notice>}
        {isReady && result.isPending && <Skeleton height={80} />}
        {isReady && result.data && !result.error && <Shown rendering={result.data} />}
      </div>
    </Card>
  );
}

function Shown({ rendering: { ok, messages, error, losses, repairs } }: { rendering: Rendering }) {
  const { trial: texts } = usePageTexts({ ru, en });
  if (!ok)
    return (
      <Notice tone="bad" title={texts.refused}>
        {error?.message}
      </Notice>
    );
  return (
    <>
      {messages.map(({ title, text, marks, buttons }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages of one rendering have no other name
        <article key={at} className="trial-message">
          {title && <h3>{title}</h3>}
          <MarkedText text={text || texts.empty} marks={text ? marks : []} />
          {buttons.flat().map((button) => (
            <span key={button.text} className="trial-button">
              {button.text}
            </span>
          ))}
        </article>
      ))}
      <Remarks title={texts.losses} all={losses} />
      <Remarks title={texts.repairs} all={repairs} />
    </>
  );
}

function Remarks({ title, all }: { title: string; all: Rendering["losses"] }) {
  if (all.length === 0) return null;
  return (
    <p>
      <Badge tone="warn">{title}</Badge> {all.map(({ message }) => message).join("; ")}
    </p>
  );
}
