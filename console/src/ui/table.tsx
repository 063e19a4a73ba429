import type { ReactNode } from "react";
import { useTexts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { Skeleton } from "./skeleton.tsx";
import { wordsOf } from "./words-of.ts";
import "./table.css";

export interface Column<Row> {
  /** Also the key of the column. */
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The cell that names the row; the first column unless another one says so. */
  readonly isName?: boolean;
  readonly align?: "right";
  /** Takes what is left of the width. */
  readonly grows?: boolean;
  /** The title is for screen readers only, as for a column of buttons. */
  readonly quietTitle?: boolean;
}

interface Props<Row> {
  /** Says what is listed. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are loading. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly error?: Error | null;
  readonly onRetry?: () => void;
  /** What to show instead of an empty table. */
  readonly empty?: ReactNode;
  /** Rows can be chosen for work on many. */
  readonly chosen?: ReadonlySet<string>;
  readonly onChoose?: (keys: ReadonlySet<string>) => void;
  readonly more?: {
    readonly hasMore: boolean;
    readonly isLoadingMore: boolean;
    readonly loadMore: () => void;
  };
}

/** A table; on a phone each row is a card that repeats the column's title before each value. */
export function Table<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, error, onRetry, empty, chosen, onChoose, more } = props;
  const texts = useTexts();
  if (error && !rows)
    return (
      <Notice tone="bad">
        <p>{wordsOf(error, texts)}</p>
        {onRetry && <Button onClick={onRetry}>{texts.common.again}</Button>}
      </Notice>
    );
  if (rows?.length === 0 && empty) return <>{empty}</>;
  const nameAt = Math.max(
    0,
    columns.findIndex(({ isName }) => isName),
  );
  const all = rows?.map(keyOf) ?? [];
  const allChosen = chosen !== undefined && all.length > 0 && all.every((key) => chosen.has(key));
  const toggle = (keys: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const key of keys)
      if (on) next.add(key);
      else next.delete(key);
    onChoose?.(next);
  };
  return (
    <div className="table-frame card">
      {error && <Notice tone="warn">{wordsOf(error, texts)}</Notice>}
      <table className="table" aria-label={label} aria-busy={rows === undefined}>
        <thead>
          <tr>
            {chosen && (
              <th className="table-choice">
                <input
                  type="checkbox"
                  aria-label={texts.common.chooseAll}
                  checked={allChosen}
                  onChange={(event) => toggle(all, event.target.checked)}
                />
              </th>
            )}
            {columns.map(({ title, align, grows, quietTitle }) => (
              <th key={title} scope="col" className={`${align ?? ""} ${grows ? "grows" : ""}`}>
                {quietTitle ? <span className="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? [0, 1, 2, 3, 4].map((row) => (
                <tr key={row}>
                  <td colSpan={columns.length + (chosen ? 1 : 0)}>
                    <Skeleton height={24} />
                  </td>
                </tr>
              ))
            : rows.map((row) => {
                const key = keyOf(row);
                return (
                  <tr key={key} className={chosen?.has(key) ? "chosen" : undefined}>
                    {chosen && (
                      <td className="table-choice">
                        <input
                          type="checkbox"
                          aria-label={texts.common.chooseRow}
                          checked={chosen.has(key)}
                          onChange={(event) => toggle([key], event.target.checked)}
                        />
                      </td>
                    )}
                    {columns.map(({ title, cell, align, quietTitle }, at) => {
                      const Cell = at === nameAt ? "th" : "td";
                      return (
                        <Cell
                          key={title}
                          {...(at === nameAt && { scope: "row" })}
                          className={align}
                          data-title={quietTitle || at === nameAt ? undefined : title}
                        >
                          {cell(row)}
                        </Cell>
                      );
                    })}
                  </tr>
                );
              })}
        </tbody>
      </table>
      {more?.hasMore && (
        <div className="table-more">
          <Button busy={more.isLoadingMore} onClick={more.loadMore}>
            {texts.common.more}
          </Button>
        </div>
      )}
    </div>
  );
}
