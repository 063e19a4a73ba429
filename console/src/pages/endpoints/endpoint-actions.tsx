import { KeyRound, Pencil, PenLine, Power, Trash2 } from "lucide-react";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Button, Toolbar } from "../../ui/index.ts";
import type { Endpoint } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

export type Doing = "change" | "rotate" | "sign" | "enable" | "disable" | "remove";

interface Props {
  readonly endpoint: Endpoint;
  readonly scopes: readonly string[];
  readonly onChoose: (doing: Doing) => void;
}

/** What may be done with an endpoint in its present state. */
export function EndpointActions({ endpoint, scopes, onChoose }: Props) {
  const texts = usePageTexts({ ru, en });
  const { common } = useTexts();
  const { enabled, kind, has_signing_secret: isSigned, replaced_by: replaced } = endpoint;
  const writes = scopes.includes("write");
  const operates = scopes.includes("operate");
  const isPulled = kind === "pull_source";
  return (
    <Toolbar>
      {writes && !replaced && (
        <Button icon={<Pencil aria-hidden="true" />} onClick={() => onChoose("change")}>
          {common.change}
        </Button>
      )}
      {operates && !replaced && enabled && !isPulled && (
        <Button icon={<KeyRound aria-hidden="true" />} onClick={() => onChoose("rotate")}>
          {texts.rotate}
        </Button>
      )}
      {operates && !replaced && !isSigned && kind === "webhook_push" && (
        <Button icon={<PenLine aria-hidden="true" />} onClick={() => onChoose("sign")}>
          {texts.sign}
        </Button>
      )}
      {operates && !(replaced && !enabled) && (
        <Button icon={<Power aria-hidden="true" />} onClick={() => onChoose(enabled ? "disable" : "enable")}>
          {enabled ? texts.disable : texts.enable}
        </Button>
      )}
      {writes && !enabled && !isPulled && (
        <Button look="danger" icon={<Trash2 aria-hidden="true" />} onClick={() => onChoose("remove")}>
          {common.remove}
        </Button>
      )}
    </Toolbar>
  );
}
