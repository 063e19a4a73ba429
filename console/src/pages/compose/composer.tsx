import { useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { type KeyboardEvent, useEffect, useState, useSyncExternalStore } from "react";
import { useLeaveGuard } from "../../router/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Button, Card, Notice, Page, toast } from "../../ui/index.ts";
import { useRecipients, useRested } from "./api.ts";
import { faultsOfButtons } from "./button-faults.ts";
import { ButtonsField } from "./buttons-field.tsx";
import { keepDraft, type Saved } from "./draft-keeper.ts";
import { faultUnder } from "./fault-under.ts";
import { KeepingState } from "./keeping-state.tsx";
import { MediaField } from "./media-field.tsx";
import type { Post } from "./post.ts";
import { Previews } from "./previews.tsx";
import { ScheduleField } from "./schedule-field.tsx";
import { SendDialog } from "./send-dialog.tsx";
import { TextEditor } from "./text-editor.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useUploads } from "./use-uploads.ts";
import { WhereField } from "./where-field.tsx";
import { zoneOf } from "./zone-of.ts";

interface Props {
  readonly workspaceId: string;
  readonly initial: Post;
  readonly saved: Saved | undefined;
  readonly note: string | undefined;
  readonly onBegun: (id: string) => void;
  readonly onReload: () => void;
}

const restMs = 350;

export function Composer({ workspaceId, initial, saved, note, onBegun, onReload }: Props) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const [post, setPost] = useState(initial);
  const client = useQueryClient();
  const onSavedLate = () => void client.invalidateQueries({ queryKey: ["drafts"] });
  const [keeper] = useState(() => keepDraft({ workspaceId, post: initial, saved, onBegun, onSavedLate }));
  const keeping = useSyncExternalStore(keeper.subscribe, keeper.state);
  const [whenFault, setWhenFault] = useState<string | undefined>(undefined);
  const [blocked, setBlocked] = useState<string | undefined>(undefined);
  const [sending, setSending] = useState(false);
  const change = (changes: Partial<Post>) => setPost((before) => ({ ...before, ...changes }));
  const uploads = useUploads(workspaceId, (medium) =>
    setPost((before) => ({ ...before, media: [...before.media, medium] })),
  );
  const rested = useRested(post, restMs);
  const found = useRecipients(workspaceId, rested);

  useEffect(() => keeper.change(post), [keeper, post]);
  useEffect(() => () => keeper.end(), [keeper]);
  const isUnsaved = keeping.step !== "kept" || uploads.waiting.length > 0;
  useLeaveGuard(isUnsaved ? common.leave : null);

  const refusal = keeping.step === "failed" ? keeping.error : null;
  const zone = zoneOf(found.data, post);
  const obstacle = (): string | undefined => {
    if (uploads.waiting.some(({ fault }) => fault)) return texts.blocked.failedFiles;
    if (uploads.waiting.length > 0) return texts.blocked.uploading;
    if (post.text.trim() === "" && post.media.length === 0) return texts.blocked.empty;
    if (faultsOfButtons(post.buttons).size > 0) return texts.blocked.buttons;
    if (post.channelIds?.length === 0) return texts.where.choose;
    if (post.scheduledFor && new Date(post.scheduledFor) <= new Date()) return texts.when.past;
    return whenFault;
  };
  const ask = () => {
    const words = obstacle();
    setBlocked(words);
    if (words === undefined) setSending(true);
  };
  // What was in the way is gone as soon as something changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they say when, not what
  useEffect(() => setBlocked(undefined), [post, uploads.waiting, whenFault]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat || sending) return;
    event.preventDefault();
    ask();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut; the button does the same
    <div onKeyDown={onKeyDown} {...uploads.handlers} className={uploads.isOver ? "compose over" : "compose"}>
      <Page
        title={texts.title}
        aside={
          <div className="compose-actions">
            <KeepingState
              keeping={keeping}
              onSave={() => void keeper.flush()}
              onTheirs={onReload}
              onMine={() => void keeper.keepApart().then(() => toast(texts.keeping.keptApart))}
            />
            <Button
              look="main"
              icon={<Send aria-hidden="true" />}
              title={texts.sendHint}
              aria-keyshortcuts="Control+Enter"
              onClick={ask}
            >
              {texts.send}
            </Button>
          </div>
        }
      >
        {blocked && <Notice tone="bad">{blocked}</Notice>}
        {note && <Notice tone="warn">{note}</Notice>}
        <div className="compose-columns">
          <div className="compose-form">
            <Card title={texts.text.label}>
              <TextEditor post={post} found={found.data} onChange={change} />
            </Card>
            <Card title={texts.media.title}>
              <MediaField
                workspaceId={workspaceId}
                media={post.media}
                uploads={uploads}
                onChange={(media) => change({ media })}
              />
            </Card>
            <Card title={texts.buttons.title}>
              <ButtonsField
                buttons={post.buttons}
                shown={blocked === texts.blocked.buttons}
                onChange={(buttons) => change({ buttons })}
              />
            </Card>
            <Card title={texts.where.title}>
              <WhereField
                post={post}
                found={found.data}
                error={found.error}
                fault={faultUnder(refusal, "/tags")}
                onChange={change}
              />
            </Card>
            <Card title={texts.when.title}>
              <ScheduleField
                zone={zone}
                value={post.scheduledFor}
                fault={whenFault ?? faultUnder(refusal, "/scheduled_for")}
                onChange={(scheduledFor, fault) => {
                  change({ scheduledFor });
                  setWhenFault(fault);
                }}
              />
            </Card>
          </div>
          <Previews workspaceId={workspaceId} post={rested} found={found.data} />
        </div>
      </Page>
      {sending && (
        <SendDialog
          workspaceId={workspaceId}
          post={post}
          zone={zone}
          keeper={keeper}
          onClose={() => setSending(false)}
        />
      )}
    </div>
  );
}
