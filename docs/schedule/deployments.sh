#!/bin/bash
set -euo pipefail
organization=example project=recovery-drill stack=drill

schedule() {
  curl --fail-with-body --silent --show-error \
    --header "Authorization: token $PULUMI_ACCESS_TOKEN" \
    --header "Content-Type: application/json" \
    --data "$1" \
    "https://api.pulumi.com/api/stacks/$organization/$project/$stack/deployments/schedules"
}

# A preview posts nothing. The check runs before it, as a pre-run command.
schedule '{
  "scheduleCron": "40 5 * * *",
  "request": {
    "operationContext": {
      "operation": "preview",
      "preRunCommands": ["npm ci", "npx pulumi-recovery ready --stack example/recovery-drill/drill --goal-age 24h"]
    }
  }
}'

# Sets the name of the drill in the deployment's own checkout, and restores.
schedule '{
  "scheduleCron": "0 6 1 1,4,7,10 *",
  "request": {
    "operationContext": {
      "operation": "update",
      "preRunCommands": ["pulumi config set drill $(date -u +%Y-%m) --stack example/recovery-drill/drill"]
    }
  }
}'
