export { createTwinDriver, type TwinDriverDeps } from "./driver.ts";
