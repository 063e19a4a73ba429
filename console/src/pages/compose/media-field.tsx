import { ArrowDown, ArrowUp, File as FileIcon, ImagePlus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { usePageTexts } from "../../texts/index.ts";
import { Button } from "../../ui/index.ts";
import type { Medium } from "./post.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { previewOf } from "./upload-file.ts";
import type { Uploads, Waiting } from "./use-uploads.ts";

interface Props {
  readonly workspaceId: string;
  readonly media: readonly Medium[];
  readonly uploads: Uploads;
  readonly onChange: (media: readonly Medium[]) => void;
}

export function MediaField({ workspaceId, media, uploads, onChange }: Props) {
  const { media: texts } = usePageTexts({ ru, en });
  const input = useRef<HTMLInputElement>(null);
  const move = (at: number, by: number) => {
    const next = [...media];
    const [moved] = next.splice(at, 1);
    if (moved) next.splice(at + by, 0, moved);
    onChange(next);
  };
  const change = (key: string, alt: string) =>
    onChange(media.map((each) => (each.key === key ? { ...each, alt } : each)));
  return (
    <div className="media-field">
      {media.length + uploads.waiting.length > 0 && (
        <ol className="media-list">
          {media.map((medium, at) => (
            <li key={medium.key} className="medium">
              <Thumbnail medium={medium} workspaceId={workspaceId} />
              <div className="medium-words">
                <p className="medium-name">{medium.name || medium.url}</p>
                <input
                  type="text"
                  className="input"
                  aria-label={texts.alt(medium.name)}
                  placeholder={texts.altHint}
                  value={medium.alt}
                  maxLength={1000}
                  onChange={(event) => change(medium.key, event.target.value)}
                />
              </div>
              <div className="medium-actions">
                <button
                  type="button"
                  className="icon-button"
                  aria-label={texts.earlier(medium.name)}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                >
                  <ArrowUp aria-hidden="true" />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={texts.later(medium.name)}
                  disabled={at === media.length - 1}
                  onClick={() => move(at, 1)}
                >
                  <ArrowDown aria-hidden="true" />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={texts.remove(medium.name)}
                  onClick={() => onChange(media.filter(({ key }) => key !== medium.key))}
                >
                  <Trash2 aria-hidden="true" />
                </button>
              </div>
            </li>
          ))}
          {uploads.waiting.map((each) => (
            <li key={each.key} className="medium">
              <Upload waiting={each} uploads={uploads} />
            </li>
          ))}
        </ol>
      )}
      <div className="media-add">
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            uploads.add(event.target.files ?? []);
            event.target.value = "";
          }}
        />
        <Button icon={<ImagePlus aria-hidden="true" />} onClick={() => input.current?.click()}>
          {texts.add}
        </Button>
        <p className="field-hint">{uploads.isOver ? texts.drop : texts.hint}</p>
      </div>
    </div>
  );
}

function Thumbnail({ medium: { kind, url }, workspaceId }: { medium: Medium; workspaceId: string }) {
  const source = previewOf(url, workspaceId);
  const isPicture = kind === "photo" || kind === "image" || kind === "animation";
  return isPicture && source ? (
    <img className="thumbnail" src={source} alt="" />
  ) : (
    <span className="thumbnail">
      <FileIcon aria-hidden="true" />
    </span>
  );
}

function Upload({ waiting: { key, file, part, fault }, uploads }: { waiting: Waiting; uploads: Uploads }) {
  const { media: texts } = usePageTexts({ ru, en });
  return (
    <>
      <span className="thumbnail">
        <FileIcon aria-hidden="true" />
      </span>
      <div className="medium-words">
        <p className="medium-name">{file.name}</p>
        {fault ? (
          <p className="field-fault" role="alert">
            {fault.kind === "other" ? texts.faults.other(fault.reason) : texts.faults[fault.kind]}
          </p>
        ) : (
          <progress value={part} max={1} aria-label={texts.uploading(file.name)} />
        )}
      </div>
      <div className="medium-actions">
        {fault && <Button onClick={() => uploads.again(key)}>{texts.again}</Button>}
        <button
          type="button"
          className="icon-button"
          aria-label={texts.remove(file.name)}
          onClick={() => uploads.remove(key)}
        >
          <Trash2 aria-hidden="true" />
        </button>
      </div>
    </>
  );
}
