import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Unreachable } from "../../api/index.ts";
import { locale } from "../../preferences/index.ts";
import { navigate } from "../../router/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { zonedTime } from "../../time/index.ts";
import { Button, Dialog, Facts, Notice, Skeleton, toast, useOnce } from "../../ui/index.ts";
import { rehearse, sendDraft } from "./api.ts";
import type { DraftKeeper } from "./draft-keeper.ts";
import type { Post } from "./post.ts";
import { Refusal } from "./refusal.tsx";
import type { Accepted } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { WhatHappens } from "./what-happens.tsx";

interface Props {
  readonly workspaceId: string;
  readonly post: Post;
  readonly zone: string;
  readonly keeper: DraftKeeper;
  readonly onClose: () => void;
}

/** How many channels, and when; then the draft is posted, once however often it is asked. */
export function SendDialog({ workspaceId, post, zone, keeper, onClose }: Props) {
  const { summary: texts, drafts } = usePageTexts({ ru, en });
  const language = locale.use();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Error | null>(null);
  const actions = useRef<HTMLDivElement>(null);
  // When a dialog opens, the browser moves focus to the first button, and the last one is meant.
  useEffect(() => actions.current?.querySelector<HTMLElement>("button:last-child")?.focus(), []);
  const rehearsal = useQuery({
    queryKey: ["rehearsal", workspaceId],
    queryFn: async () => {
      const saved = await keeper.flush();
      return saved ? { saved, answer: await rehearse(workspaceId, saved, post) } : null;
    },
    ...{ gcTime: 0, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
  });
  const saved = rehearsal.data?.saved;
  const answer = rehearsal.data?.answer;
  const send = useOnce(async () => {
    if (!saved) return;
    setBusy(true);
    setFault(null);
    try {
      leave(await sendDraft(workspaceId, saved));
    } catch (error) {
      setFault(error instanceof Error ? error : new Error(String(error)));
      setBusy(false);
    }
  });
  const leave = (given: Accepted) => {
    if ("dropped" in given) {
      toast(texts.dropped);
      navigate("/drafts");
    } else {
      toast(texts.sent(given.queued));
      navigate(`/posts/${given.message_id}`);
    }
  };
  const when = post.scheduledFor
    ? `${zonedTime(new Date(post.scheduledFor), zone, language, "long")} (${zone})`
    : texts.now;
  const canSend = answer !== undefined && !("dropped" in answer) && answer.queued > 0;
  return (
    <Dialog title={texts.title} locked={busy} onClose={onClose}>
      {(close) => (
        <>
          {rehearsal.isPending && (
            <div aria-busy="true">
              <p>{texts.checking}</p>
              <Skeleton height={64} />
            </div>
          )}
          {rehearsal.error && <Refusal error={rehearsal.error} />}
          {rehearsal.data === null && <Notice tone="bad">{texts.notSaved}</Notice>}
          {answer && (
            <>
              <Facts
                facts={[
                  [texts.where, "dropped" in answer ? null : texts.into(answer.queued)],
                  [texts.when, when],
                  [texts.files, post.media.length > 0 ? drafts.files(post.media.length) : null],
                ]}
              />
              <WhatHappens answer={answer} />
            </>
          )}
          {fault && (
            <Refusal error={fault} words={fault instanceof Unreachable ? texts.unknown : undefined} />
          )}
          <div ref={actions} className="form-actions">
            <Button onClick={close}>{texts.back}</Button>
            <Button
              look="main"
              busy={busy || rehearsal.isPending}
              disabled={rehearsal.isFetched && !canSend}
              onClick={send}
            >
              {post.scheduledFor ? texts.schedule : texts.submit}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
