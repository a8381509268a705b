import { PolicyPack } from "@pulumi/policy";
import { rules } from "./rules";

new PolicyPack("recovery-policy", { enforcementLevel: "mandatory", policies: rules(() => new Date()) });
