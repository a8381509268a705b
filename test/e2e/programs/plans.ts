import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

/** A plan from the configuration key `plan`, so that a test can change the program by changing the configuration. */
const config = new pulumi.Config();
const plan = new recovery.RecoveryPlan("shop", config.requireObject<recovery.RecoveryPlanArgs>("plan"));

export const { verdict, reasons, recoveryTimeSeconds, restores } = plan;
