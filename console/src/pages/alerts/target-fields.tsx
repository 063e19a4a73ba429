import { usePageTexts } from "../../texts/index.ts";
import { AreaField, PasswordField, SelectField, TextField } from "../../ui/index.ts";
import type { Target, TargetKind } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly kind: TargetKind;
  readonly target: Target | undefined;
  readonly fault: (pointer: string) => string | undefined;
}

/** Where alerts go, by the kind of target. */
export function TargetFields({ kind, target, fault }: Props) {
  const texts = usePageTexts({ ru, en });
  const config = target?.config ?? {};
  const kept = target?.has_secret ? texts.secretKept : undefined;
  switch (kind) {
    case "telegram":
      return (
        <>
          <TextField
            label={texts.chat}
            hint={texts.chatHint}
            fault={fault("/config/chat_id")}
            name="chat_id"
            defaultValue={config.chat_id}
            required
            autoComplete="off"
          />
          <TextField
            label={texts.thread}
            hint={texts.threadHint}
            fault={fault("/config/thread_id")}
            name="thread_id"
            type="number"
            defaultValue={config.thread_id}
          />
          <PasswordField
            label={texts.botToken}
            hint={kept ?? texts.botTokenHint}
            fault={fault("/secret")}
            name="secret"
            required={!target}
            autoComplete="off"
          />
        </>
      );
    case "webhook":
      return (
        <>
          <TextField
            label={texts.url}
            hint={target ? texts.urlKept(config.url ?? "") : texts.urlHint}
            fault={fault("/config/url")}
            name="url"
            type="url"
            maxLength={2048}
            required={!target}
            autoComplete="off"
          />
          <PasswordField
            label={texts.secret}
            hint={kept ?? texts.secretHint}
            fault={fault("/secret")}
            name="secret"
            autoComplete="off"
          />
          <SelectField
            label={texts.secretAs}
            fault={fault("/config/secret_as")}
            name="secret_as"
            defaultValue={config.secret_as ?? "signature"}
          >
            <option value="signature">{texts.secretUses.signature}</option>
            <option value="authorization">{texts.secretUses.authorization}</option>
          </SelectField>
        </>
      );
    case "email":
      return (
        <>
          <AreaField
            label={texts.to}
            hint={texts.toHint}
            fault={fault("/config/to") ?? fault("/config/to/0")}
            name="to"
            rows={2}
            defaultValue={config.to?.join("\n")}
            required
            autoComplete="off"
          />
          <TextField
            label={texts.fromAddress}
            hint={texts.fromHint}
            fault={fault("/config/from")}
            name="from"
            defaultValue={config.from}
            autoComplete="off"
          />
        </>
      );
  }
}
