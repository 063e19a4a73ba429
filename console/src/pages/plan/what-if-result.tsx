import { usePageTexts } from "../../texts/index.ts";
import { Badge, Platform, Table, type Tone, ZonedTime } from "../../ui/index.ts";
import { reasonWords } from "./entry-words.ts";
import type { Comparison, Fate, Moved } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const most = 50;
const tones: Readonly<Record<Moved["change"], Tone>> = {
  earlier: "good",
  later: "warn",
  never: "bad",
  again: "good",
};

/** How many posts would move which way, and which. */
export function WhatIfResult({ result: { counts, items, truncated } }: { result: Comparison }) {
  const texts = usePageTexts({ ru, en });
  const { ifs } = texts;
  return (
    <div className="what-if-result" role="status">
      <dl className="what-if-counts">
        {(["earlier", "later", "never", "again", "same"] as const).map((name) => (
          <div key={name} className={name}>
            <dt>{ifs.counts[name]}</dt>
            <dd>{counts[name]}</dd>
          </div>
        ))}
      </dl>
      {items.length === 0 ? (
        <p>{ifs.nothing}</p>
      ) : (
        <Table
          label={ifs.rows}
          keyOf={({ id }) => id}
          rows={items.slice(0, most)}
          columns={[
            {
              title: ifs.post,
              grows: true,
              cell: ({ snippet, channel }) => (
                <>
                  <span className="standing-text">{snippet || texts.noText}</span>
                  <small className="soft">
                    <Platform name={channel.platform} /> {channel.title ?? channel.target}
                  </small>
                </>
              ),
            },
            {
              title: ifs.change,
              cell: ({ change }) => <Badge tone={tones[change]}>{ifs.counts[change]}</Badge>,
            },
            { title: ifs.before, cell: ({ before, zone }) => <FateWords fate={before} zone={zone} /> },
            { title: ifs.after, cell: ({ after, zone }) => <FateWords fate={after} zone={zone} /> },
          ]}
        />
      )}
      {items.length > most && <p className="soft">{ifs.more(items.length - most)}</p>}
      {truncated && <p className="soft">{texts.truncated}</p>}
    </div>
  );
}

function FateWords({ fate: { fate, at, reason }, zone }: { fate: Fate; zone: string }) {
  const texts = usePageTexts({ ru, en });
  if (fate === "later") return <>{texts.ifs.laterFate}</>;
  if (fate === "sent" && at) return <ZonedTime at={at} zone={zone} />;
  return <span title={reasonWords(reason, texts)}>{texts.ifs.neverFate}</span>;
}
