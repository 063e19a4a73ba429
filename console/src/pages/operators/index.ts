export { OperatorsPage } from "./operators-page.tsx";
