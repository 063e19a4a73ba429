export { templateLimits } from "../../kernel/liquid/index.ts";
