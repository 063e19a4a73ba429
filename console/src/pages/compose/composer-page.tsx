import { useEffect, useRef, useState } from "react";
import { Refused } from "../../api/index.ts";
import { Link, navigate, useQueryOf } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Empty, Notice, Page, Skeleton, wordsOf } from "../../ui/index.ts";
import { useDraft, useSentPost } from "./api.ts";
import { Composer } from "./composer.tsx";
import { blankPost, postLike, postOfDraft } from "./post.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import "./compose.css";

/** A new post, a draft to go on with, or a post like one that was sent. */
export function ComposerPage({ workspace, params }: WorkspacePageProps) {
  const texts = usePageTexts({ ru, en });
  const [query] = useQueryOf("draft", "from");
  const { draftId: inPath } = params;
  const draftId = inPath ?? query.draft;
  // One path for all, because another path is another page, and a draft that gets its id must not lose the person's place.
  useEffect(() => {
    if (inPath) navigate(`/compose?draft=${inPath}`, { replace: true });
  }, [inPath]);
  // A draft that was begun here gets an address, and the composer on the screen goes on with it.
  const begun = useRef<string | undefined>(undefined);
  const [opened, setOpened] = useState({ draftId, from: query.from, time: 0 });
  const open = (id: string | undefined, from: string | undefined, anew: boolean) =>
    setOpened({ draftId: id, from, time: opened.time + (anew ? 1 : 0) });
  if (opened.draftId !== draftId || opened.from !== query.from)
    open(draftId, query.from, draftId === undefined || draftId !== begun.current);

  if (!workspace.scopes.includes("write"))
    return (
      <Page title={texts.title}>
        <Empty title={texts.notAllowed} hint={texts.notAllowedHint} />
      </Page>
    );
  if (inPath) return <Page title={texts.title}>{null}</Page>;
  return (
    <Opening
      key={opened.time}
      workspaceId={workspace.id}
      draftId={draftId}
      from={query.from}
      time={opened.time}
      onBegun={(id) => {
        begun.current = id;
        navigate(`/compose?draft=${id}`, { replace: true, keepPlace: true });
      }}
      onReload={() => open(draftId, query.from, true)}
    />
  );
}

interface OpeningProps {
  readonly workspaceId: string;
  readonly draftId: string | undefined;
  readonly from: string | undefined;
  readonly time: number;
  readonly onBegun: (id: string) => void;
  readonly onReload: () => void;
}

function Opening({ workspaceId, draftId, from, time, onBegun, onReload }: OpeningProps) {
  const common = useTexts();
  const texts = usePageTexts({ ru, en });
  const [first] = useState({ draftId, from: draftId ? undefined : from });
  const draft = useDraft(workspaceId, first.draftId, time);
  const sent = useSentPost(workspaceId, first.from);
  const read = draft.data ?? sent.data;
  // Reading again may fail while the person writes, which must not take the post from the screen.
  const error = draft.error ?? sent.error;
  if (error && !read)
    return (
      <Page title={texts.title}>
        {error instanceof Refused && error.status === 404 && first.draftId ? (
          <Empty title={texts.noDraft} hint={texts.noDraftHint}>
            <Link href="/drafts">{texts.toDrafts}</Link>
          </Empty>
        ) : (
          <Notice tone="bad">{wordsOf(error, common)}</Notice>
        )}
      </Page>
    );
  const post = draft.data ? postOfDraft(draft.data) : sent.data ? postLike(sent.data) : blankPost;
  if ((first.draftId || first.from) && !read)
    return (
      <Page title={texts.title}>
        <Skeleton height={320} />
      </Page>
    );
  return (
    <Composer
      workspaceId={workspaceId}
      initial={post}
      saved={draft.data && { id: draft.data.id, version: draft.data.version }}
      note={sent.data ? texts.likeSent(sent.data.media) : undefined}
      onBegun={onBegun}
      onReload={onReload}
    />
  );
}
