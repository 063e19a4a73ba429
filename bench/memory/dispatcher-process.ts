/** The dispatcher alone in a process: reports its memory at ten points. */
import { connect } from "../../src/kernel/db/index.ts";
import { idleDispatcher } from "../shared/molva.ts";

const { url, deliveries }: { url: string; deliveries: number } = JSON.parse(process.argv[2] ?? "{}");
const sql = connect({ url, max: 10 });
let sent = 0;
const dispatcher = idleDispatcher(sql, 1_000, () => {
  sent += 1;
  if (sent % Math.ceil(deliveries / 10) === 0)
    process.send?.({ sent, megabytes: process.memoryUsage.rss() / 1024 / 1024 });
});
await dispatcher.start();
process.once("disconnect", async () => {
  await dispatcher.stop();
  await sql.end();
  process.exit();
});
