import { Refused } from "../../api/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { AskDialog, toast } from "../../ui/index.ts";
import { downloadExport, useWorkspaceActions } from "./api.ts";
import type { Tenant } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { WorkspaceForm } from "./workspace-form.tsx";

export type Doing = "change" | "pause" | "resume" | "disable" | "export" | "remove";

interface Props {
  readonly doing: Doing;
  readonly workspace: Tenant;
  readonly onClose: () => void;
}

export function WorkspaceDialog({ doing, workspace, onClose }: Props) {
  const texts = usePageTexts({ ru, en });
  const { setStatus, remove } = useWorkspaceActions();
  const { workspace_id: id, name } = workspace;
  switch (doing) {
    case "change":
      return <WorkspaceForm workspace={workspace} onClose={onClose} />;
    case "export":
      return (
        <AskDialog
          title={texts.exportTitle(name)}
          submit={texts.export}
          asksReason
          act={async (reason) => downloadExport(id, reason)}
          onClose={onClose}
        >
          <p>{texts.exportHint}</p>
        </AskDialog>
      );
    case "remove":
      return (
        <AskDialog
          title={texts.removeTitle(name)}
          submit={texts.remove}
          look="danger"
          asksReason
          typeToConfirm={name}
          act={(reason) =>
            remove.mutateAsync({ id, name, reason }).catch((error: unknown) => {
              // A disabled workspace whose name was typed is refused for one reason that a person can do something about.
              if (error instanceof Refused && error.problem.detail?.startsWith("Export"))
                throw new Refused(error.status, { ...error.problem, detail: texts.notExported });
              throw error;
            })
          }
          onDone={() => toast(texts.removed(name))}
          onClose={onClose}
        >
          <p>{texts.removeHint}</p>
          <p>{texts.exportFirst}</p>
        </AskDialog>
      );
    default:
      return (
        <AskDialog
          title={texts.ask[doing].title(name)}
          submit={texts[doing]}
          look={doing === "disable" ? "danger" : "main"}
          asksReason
          {...(doing === "disable" && { typeToConfirm: name })}
          act={(reason) => setStatus.mutateAsync({ id, verb: doing, reason })}
          onDone={() => toast(texts.ask[doing].done(name))}
          onClose={onClose}
        >
          <p>{texts.ask[doing].hint}</p>
        </AskDialog>
      );
  }
}
