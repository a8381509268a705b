import { pageScript } from "./page-script";
import { pageStyle } from "./page-style";

/** The page of the control port. It loads no file, font or script from anywhere else. */
export const page = `<!DOCTYPE html>
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
<dl id="facts"></dl>
<main>
  <section aria-labelledby="machines-title">
    <h2 id="machines-title">Machines</h2>
    <div id="machines" class="machines"></div>
  </section>
  <section aria-labelledby="transactions-title">
    <h2 id="transactions-title">Transactions <small>newest first</small></h2>
    <div class="table"><table>
      <thead><tr><th>Id</th><th>Machine</th><th>Action</th><th>Status</th><th>Progress</th><th>Time</th><th>Ended</th><th><span class="unseen">Log, and ending it</span></th></tr></thead>
      <tbody id="transactions"></tbody>
    </table></div>
  </section>
  <section aria-labelledby="requests-title">
    <h2 id="requests-title">Requests <small>newest first</small></h2>
    <ol id="requests" class="requests"></ol>
  </section>
</main>
<script>${pageScript}</script>
</body>
</html>
`;
