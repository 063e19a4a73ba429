import type { Attention } from "../../../api/index.ts";
import { Link } from "../../../router/index.ts";
import { usePageTexts } from "../../../texts/index.ts";
import { Moment } from "../../../ui/index.ts";
import { AttentionRow } from "./attention-row.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

export function SourceRow({ source }: { source: Attention["sources"][number] }) {
  const texts = usePageTexts({ ru, en });
  return (
    <AttentionRow
      tone="warn"
      title={
        <>
          <Link href={`/sources/${encodeURIComponent(source.source_id)}`}>
            {texts.source(source.source_id)}
          </Link>{" "}
          {texts.sourceState[source.state]}
        </>
      }
      detail={
        <>
          {source.error && (
            <>
              <code>{source.error.code}</code> {source.error.message} ·{" "}
            </>
          )}
          <Moment at={source.since} />
        </>
      }
    />
  );
}
