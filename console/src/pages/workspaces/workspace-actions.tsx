import { Ellipsis } from "lucide-react";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Menu, MenuItem } from "../../ui/index.ts";
import type { Tenant } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import type { Doing } from "./workspace-dialogs.tsx";

interface Props {
  readonly workspace: Tenant;
  readonly scopes: readonly string[];
  /** Only administrators of the installation delete. */
  readonly mayRemove: boolean;
  readonly onChoose: (doing: Doing) => void;
}

/** What may be done with a workspace in its present state; nothing for who is not its admin. */
export function WorkspaceActions({ workspace: { name, status }, scopes, mayRemove, onChoose }: Props) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  if (!scopes.includes("admin")) return null;
  const item = (doing: Doing, words: string) => <MenuItem onChoose={() => onChoose(doing)}>{words}</MenuItem>;
  const mayExport = scopes.includes("people") && scopes.includes("payload");
  return (
    <Menu label={texts.actionsOf(name)} trigger={<Ellipsis aria-hidden="true" />}>
      {item("change", common.change)}
      {status === "active" && item("pause", texts.pause)}
      {status !== "active" && item("resume", texts.resume)}
      {status !== "disabled" && item("disable", texts.disable)}
      {mayExport && item("export", texts.export)}
      {mayRemove && status === "disabled" && item("remove", texts.remove)}
    </Menu>
  );
}
