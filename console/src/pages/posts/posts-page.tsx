import { useList } from "../../api/index.ts";
import { Link, useQueryOf } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { type Column, Empty, FilterField, Moment, Page, Table, Toolbar } from "../../ui/index.ts";
import { ErrorWords } from "./error-words.tsx";
import { filterOf, type Period, periodOf, periods } from "./filter.ts";
import { PartsTabs } from "./parts-tabs.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import { type Post, post } from "./shapes.ts";
import { type PostsTexts, usePostsTexts } from "./use-posts-texts.ts";
import { useSteady } from "./use-steady.ts";
import "./posts.css";

export function PostsPage({ workspace }: WorkspacePageProps) {
  const texts = usePostsTexts();
  const [query, setQuery] = useQueryOf("since");
  const { since } = useSteady(query, (now) => filterOf(query, now));
  const list = useList("/messages", { workspace_id: workspace.id, since }, post, { topic: "messages" });
  const period = periodOf(query);
  const choices: { value: Period | ""; title: string }[] = [
    { value: "", title: texts.filter.allTime },
    ...(Object.keys(periods) as Period[]).map((value) => ({ value, title: texts.filter.periods[value] })),
  ];
  const isFiltered = period !== "";
  return (
    <Page title={texts.title}>
      <PartsTabs current="/posts" />
      <Toolbar>
        <FilterField
          label={texts.list.since}
          value={period}
          choices={choices}
          onChoose={(value) => setQuery({ since: value })}
        />
      </Toolbar>
      <Table
        label={texts.posts}
        columns={columnsOf(texts)}
        rows={list.items}
        keyOf={({ id }) => id}
        error={list.error}
        onRetry={list.refetch}
        more={list}
        empty={
          <Empty
            title={isFiltered ? texts.list.emptyFiltered : texts.list.empty}
            hint={isFiltered ? texts.list.emptyFilteredHint : texts.list.emptyHint}
          />
        }
      />
    </Page>
  );
}

function columnsOf(texts: PostsTexts): Column<Post>[] {
  const { list } = texts;
  return [
    {
      title: list.post,
      cell: ({ id, snippet, media }) => (
        <Link href={`/posts/${id}`} className="post-line">
          <span>{snippet || list.noText}</span>
          {media > 0 && <small>{list.media(media)}</small>}
        </Link>
      ),
    },
    { title: list.when, cell: ({ created_at }) => <Moment at={created_at} /> },
    { title: list.from, cell: (each) => originOf(each, texts) },
    { title: list.delivered, cell: ({ deliveries }) => <ProgressBar counts={deliveries} /> },
    { title: list.wrong, cell: ({ error }) => error && <ErrorWords error={error} brief /> },
  ];
}

/** The endpoint by its name; without one, how the post came. */
export function originOf({ came_by: { kind, endpoint } }: Post, { list }: PostsTexts): string {
  const kinds: Readonly<Record<string, string>> = list.kinds;
  return endpoint ?? (kind === null ? undefined : kinds[kind]) ?? kind ?? list.unknownOrigin;
}
