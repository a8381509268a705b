export { constructRecoveryPlan } from "../../drills/plugin/plan";
