import { pageScript } from "./page-script";

/** Muted colors for light and dark mode, so that only problems stand out. */
const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #12161c); --panel: light-dark(#ffffff, #1a2029); --line: light-dark(#d9dee5, #2d3643);
  --text: light-dark(#1b2430, #e3e8ef); --quiet: light-dark(#596677, #9aa7b7); --accent: light-dark(#1f6feb, #6aa8ff);
  --good: light-dark(#1a7f4b, #57c78b); --bad: light-dark(#c2293a, #ff7b86); --warn: light-dark(#9a6200, #e6b450);
 
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1.25rem 1.5rem 3rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
header { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; }
h1 { font-size: 1.35rem; margin: 0; } h2 { font-size: 1.05rem; margin: 1.75rem 0 .6rem; }
small { color: var(--quiet); font-weight: normal; } .state { margin: 0; color: var(--quiet); } .state.lost { color: var(--bad); }
.machines { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: .75rem; }
.machine { background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
.machine h3 { margin: 0; font-size: 1rem; display: flex; justify-content: space-between; gap: .5rem; }
.machine .identifier { color: var(--quiet); font: 13px/1.6 ui-monospace, "Liberation Mono", monospace; }
.machine ul { list-style: none; margin: .4rem 0 0; padding: 0; font-variant-numeric: tabular-nums; }
.machine li { display: flex; justify-content: space-between; gap: 1rem; } .machine li span:last-child { color: var(--quiet); }
.machine button { margin: .5rem 0 0; } .locked { color: var(--warn); font-size: .85rem; } .free { color: var(--quiet); font-size: .85rem; font-weight: normal; }
table { width: 100%; border-collapse: collapse; background: var(--panel); border: 1px solid var(--line); }
th, td { text-align: left; padding: .45rem .7rem; border-top: 1px solid var(--line); vertical-align: top; }
th { color: var(--quiet); font-weight: 600; font-size: .85rem; border-top: 0; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; } td.action { white-space: nowrap; }
.status { font-weight: 600; white-space: nowrap; }
.status::before { content: ""; display: inline-block; width: .6em; height: .6em; border-radius: 50%; margin-right: .45em; background: currentColor; }
.status.pending { color: var(--quiet); } .status.running { color: var(--accent); } .status.complete { color: var(--good); }
.status.failed { color: var(--bad); } .status.cancelled { color: var(--warn); }
td.time { white-space: nowrap; } tr[hidden] { display: none; } tr[hidden] + tr td { border-top-color: var(--line); }
pre { margin: 0 0 .4rem; padding: .6rem .8rem; background: var(--ground); border: 1px solid var(--line); border-radius: .35rem;
  font: 13px/1.5 ui-monospace, "Liberation Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.actions { white-space: nowrap; text-align: right; } .ending[hidden] { display: none; } .table { overflow-x: auto; position: relative; }
button { font: inherit; font-size: .85rem; padding: .1rem .55rem; margin-left: .3rem; color: var(--text); background: var(--ground);
  border: 1px solid var(--line); border-radius: .35rem; cursor: pointer; }
button:hover, button:focus-visible { border-color: var(--accent); } .requests { list-style: none; margin: 0; padding: .5rem .9rem; background: var(--panel); border: 1px solid var(--line);
  font: 13px/1.7 ui-monospace, "Liberation Mono", monospace; max-height: 16rem; overflow: auto; }
.requests .wrong { color: var(--bad); } .empty { color: var(--quiet); }
.unseen { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
@media (max-width: 50rem) { body { padding: 1rem; } th, td { padding: .45rem .4rem; } td.time { white-space: normal; } td.action { white-space: normal; overflow-wrap: anywhere; min-width: 7rem; font-size: .8rem; } }
`;

/** The page of the control port. It loads no file, font or script from anywhere else. */
export const controlPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recovery sandbox</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<header>
  <h1>Recovery sandbox</h1>
  <p id="connection" class="state" role="status">Connecting</p>
</header>
<main>
  <h2>Machines</h2>
  <div id="machines" class="machines"></div>
  <h2>Transactions <small>newest first</small></h2>
  <div class="table"><table>
    <thead><tr><th>Id</th><th>Machine</th><th>Action</th><th>Status</th><th>Time</th><th><span class="unseen">Log and buttons</span></th></tr></thead>
    <tbody id="transactions"></tbody>
  </table></div>
  <h2>Requests <small>newest first</small></h2>
  <ol id="requests" class="requests"></ol>
</main>
<script>${pageScript}</script>
</body>
</html>
`;
