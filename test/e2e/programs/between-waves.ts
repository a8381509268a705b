import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { Step } from "../support/step";
import { planArgs } from "../support/two-waves";

/** Two waves, with a step between them that asks the service of the configuration key `address`. */
const address = new pulumi.Config().require("address");
const args = planArgs();
args.waves[1]!.dependsOn = ({ data }) => new Step("dns", address, args.run as string, { dependsOn: data! });

export const { verdict, reasons } = new recovery.RecoveryPlan("shop", args);
