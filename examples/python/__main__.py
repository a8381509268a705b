import pulumi
import pulumi_recovery as recovery

run = pulumi.Config().get("run") or "2026-11-drill"

web = recovery.VmRestore(
    "web",
    virtual_machine_id="42",
    recovery_point="newest",  # chosen once per drill; a newer backup changes nothing
    triggers=[run],
    timeouts={"run": "2h"},
)

etc = recovery.FileRestore(
    "etc",
    virtual_machine_id="42",
    recovery_point_id=web.recovery_point_id,
    paths=["/etc/nginx/nginx.conf", "/var/www"],
    triggers=[run],
    opts=pulumi.ResourceOptions(depends_on=[web]),
)

pulumi.export("status", web.status)
pulumi.export("taken", web.recovery_point_taken_at)
pulumi.export("seconds", web.duration_seconds)
pulumi.export("files", etc.status)
pulumi.export("newest", recovery.get_transactions_output(limit=5).transactions[0].id)
