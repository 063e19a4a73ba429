import { type FormEvent, useState } from "react";
import { Refused, useChange } from "../../api/index.ts";
import { useLeaveGuard } from "../../router/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Card, Notice, toast, useOnce, wordsOf } from "../../ui/index.ts";
import { changeChannel, channelTopics, faultUnder } from "./calls.ts";
import { changeOf, type Draft, draftOf, hasNoHours } from "./settings/draft.ts";
import { fieldsOf, type Group, groupNames } from "./settings/fields.ts";
import { SettingField } from "./settings/setting-field.tsx";
import type { Channel } from "./shapes.ts";
import { useWords } from "./use-words.ts";
import "./settings/settings.css";

interface Props {
  readonly workspaceId: string;
  readonly channel: Channel;
  readonly mayWrite: boolean;
}

/** Everything that can be changed of a channel. What nobody touched is not sent, so that two people do not undo each other. */
export function SettingsCard({ workspaceId, channel, mayWrite }: Props) {
  const texts = useWords();
  const { common, ...words } = useTexts();
  const [typed, setTyped] = useState<Draft>({});
  const draft = { ...draftOf(channel), ...typed };
  const { body, misread } = changeOf(channel, draft);
  const isChanged = Object.keys(body).length + Object.keys(misread).length > 0;
  useLeaveGuard(isChanged ? common.leave : null);
  const save = useChange(
    (change: typeof body) => changeChannel(workspaceId, channel.channel_id, change),
    channelTopics,
  );
  const send = useOnce(async () => {
    const saved = await save.mutateAsync(body).catch(() => undefined);
    if (!saved) return; // shown from save.error
    setTyped({});
    toast(common.saved);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (Object.keys(misread).length === 0) send();
  };
  const faultAt = (key: string) => {
    const wrong = misread[key];
    if (wrong) return texts.settings.misread[wrong];
    return faultUnder(save.error, `/${key.split(".").join("/")}`) ?? wholeFault(save.error, key);
  };
  const fields = (group: Group) => fieldsOf(channel.platform, group);
  return (
    <Card title={texts.settings.title} aside={mayWrite ? undefined : texts.settings.readOnly}>
      <form className="form" onSubmit={submit}>
        {save.error && <Notice tone="bad">{wordsOf(save.error, { common, ...words })}</Notice>}
        <datalist id="zones">
          {Intl.supportedValuesOf("timeZone").map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        {groupNames.map((group) => (
          <fieldset key={group} className="settings-group">
            <legend>{texts.settings.groups[group]}</legend>
            <p className="soft">{texts.settings.groupHints[group]}</p>
            {group === "time" && hasNoHours(draft) && <Notice tone="warn">{texts.settings.noHours}</Notice>}
            <div className="settings-fields">
              {fields(group)
                .filter(({ when }) => !when || draft[when[0]] === when[1])
                .map((field) => (
                  <SettingField
                    key={field.key}
                    field={field}
                    workspaceId={workspaceId}
                    value={draft[field.key] ?? ""}
                    fault={faultAt(field.key)}
                    onChange={(value) => setTyped((before) => ({ ...before, [field.key]: value }))}
                    disabled={!mayWrite}
                  />
                ))}
            </div>
          </fieldset>
        ))}
        {mayWrite && isChanged && (
          <div className="form-actions settings-save">
            <Button onClick={() => setTyped({})}>{texts.settings.discard}</Button>
            <Button look="main" type="submit" busy={save.isPending}>
              {common.save}
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}

/** A fault of a whole object is told at the first field of it. */
function wholeFault(error: Error | null, key: string): string | undefined {
  const firsts: Readonly<Record<string, string>> = {
    "route_filter.include_any": "/route_filter",
    "posting_window.mon": "/posting_window",
    "settings.other": "/settings",
  };
  const pointer = firsts[key];
  return pointer && error instanceof Refused ? error.fault(pointer) : undefined;
}
