/** Which automatic messages people get. */
import { noticeKinds } from "../../broadcasts/broadcasts.ts";
import { readSwitches, setSwitches } from "../../notices/switches.ts";
import { action, inStep, isAdmin, screen } from "../services.ts";
import { texts } from "../texts/index.ts";

export const noticeSwitches = screen("admin:notices", {
  to: ["admin:notices:{@kind}", "admin"],
  async show(_, visit) {
    if (!isAdmin(visit)) return undefined;
    const { admin, notices } = texts[visit.language];
    const say = notices.switches;
    const on = await readSwitches(inStep(visit).sql, visit.workspaceId);
    return {
      text: say.title,
      buttons: [
        ...noticeKinds.map((kind) => [
          { label: `${say.names[kind]}: ${say.state(on[kind])}`, to: `admin:notices:${kind}` },
        ]),
        [{ label: admin.back, to: "admin" }],
      ],
    };
  },
});

export const switchNotice = action("admin:notices:{@kind}", {
  to: ["admin:notices"],
  async act({ kind: typed }, visit) {
    const kind = noticeKinds.find((each) => each === typed);
    if (!isAdmin(visit) || kind === undefined) return undefined;
    const { workspaceId, userId } = visit;
    const deps = inStep(visit);
    const on = await readSwitches(deps.sql, workspaceId);
    await setSwitches(deps, workspaceId, { [kind]: !on[kind] }, { operator: `telegram/${userId}` });
    return { to: "admin:notices" };
  },
});
