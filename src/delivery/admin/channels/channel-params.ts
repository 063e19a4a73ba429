import { z } from "zod";
import { idOf } from "../../../workspaces/index.ts";
import { idColumns } from "../../id-columns.ts";

export const channelParams = z.object({ channel_id: idOf(idColumns.channel) });
