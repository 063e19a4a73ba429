import { usePageTexts } from "../../texts/index.ts";
import { Badge, Button, Card, Moment } from "../../ui/index.ts";
import { lineDiff } from "./line-diff.ts";
import type { Template } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly versions: readonly Template[];
  readonly mayWrite: boolean;
  readonly onEdit: (version: Template) => void;
  readonly onCompare: (version: Template) => void;
  readonly onActivate: (version: Template) => void;
}

/** Every version of a template, the newest first. */
export function VersionsCard({ versions, mayWrite, onEdit, onCompare, onActivate }: Props) {
  const texts = usePageTexts({ ru, en });
  return (
    <Card title={texts.versions} aside={texts.versionsCount(versions.length)}>
      <ul className="template-versions">
        {versions.map((each) => (
          <li key={each.version} aria-label={texts.version(each.version)}>
            <span>
              <strong>{texts.version(each.version)}</strong>{" "}
              <Badge tone={each.active ? "good" : "idle"}>{each.active ? texts.active : texts.draft}</Badge>{" "}
              <span className="template-soft">
                <Moment at={each.created_at} />
              </span>
            </span>
            <span className="template-acts">
              <Button title={texts.compareWith} onClick={() => onCompare(each)}>
                {texts.compare}
              </Button>
              {mayWrite && <Button onClick={() => onEdit(each)}>{texts.edit}</Button>}
              {mayWrite && !each.active && <Button onClick={() => onActivate(each)}>{texts.activate}</Button>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What the text in the editor changes in a version. */
export function DiffCard({ version, text }: { version: Template; text: string }) {
  const texts = usePageTexts({ ru, en });
  const lines = lineDiff(version.body, text);
  const names = { same: "", added: texts.added, dropped: texts.dropped };
  return (
    <Card title={texts.diff(version.version)}>
      {version.body === text ? (
        <p>{texts.diffSame}</p>
      ) : (
        <>
          <p className="template-soft">{texts.diffHint}</p>
          <ol className="template-diff">
            {lines.map(({ kind, text }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place only
              <li key={at} className={kind}>
                <span className="unseen">{names[kind]}</span>
                <code>{text}</code>
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  );
}
