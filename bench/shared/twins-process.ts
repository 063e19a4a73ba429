/** The twins in a process of their own, as far from the server as the real providers are. Tells its parent where it is. */
import { startTwins } from "../../twins/index.ts";

const settings: { rateLimits: boolean; chatBurst: number } = JSON.parse(process.argv[2] ?? "{}");
const twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, ...settings });
process.send?.(twins.url);
process.once("disconnect", () => process.exit());
