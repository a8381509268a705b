/**
 * The page's script. It inserts the panel's words as text, never as markup. A row keeps its element across refreshes, so an opened log
 * stays open and a button can be hit while rows move.
 */
export const pageScript = `
"use strict";
const refreshEveryMs = 1000;
const at = (id) => document.getElementById(id);
const rows = new Map();
const cards = new Map();

function element(tag, className, content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const part of [].concat(content ?? [])) made.append(part);
  return made;
}

function setText(node, value) {
  if (node.textContent !== value) node.textContent = value;
}

function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return seconds + " s";
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes + " min" + (seconds % 60 ? " " + (seconds % 60) + " s" : "");
  return Math.floor(minutes / 60) + " h" + (minutes % 60 ? " " + (minutes % 60) + " min" : "");
}

function age(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return seconds + " s";
  if (seconds < 5400) return Math.round(seconds / 60) + " min";
  return seconds < 172800 ? Math.round(seconds / 3600) + " h" : Math.round(seconds / 86400) + " days";
}

function showFacts(state) {
  const faults = [...Object.entries(state.faults.get).map(([kind]) => "GET " + kind), ...Object.entries(state.faults.post).map(([kind]) => "POST " + kind)];
  const facts = { Panel: state.url, User: state.username, Speed: state.speed + "x", "Restores accepted": state.acceptedPosts, Faults: faults.join(", ") || "none" };
  at("facts").replaceChildren(...Object.entries(facts).map(([name, value]) => element("div", "", [element("dt", "", name), element("dd", "", String(value))])));
}

function makeCard(machine) {
  const card = { locked: element("span"), points: element("ul") };
  card.article = element("article", "machine", [
    element("h3", "", [machine.id + " " + machine.label, card.locked]),
    element("div", "identifier", machine.identifier),
    card.points,
    actionButton("New recovery point", "machine " + machine.id, () => post("/recovery-points", { machineId: machine.id })),
  ]);
  return card;
}

function showMachines(state) {
  const wanted = state.machines.map((machine) => {
    const card = cards.get(machine.id) ?? makeCard(machine);
    cards.set(machine.id, card);
    card.locked.className = machine.locked ? "locked" : "free";
    setText(card.locked, card.locked.className);
    card.points.replaceChildren(...machine.recoveryPoints.map((point) => element("li", "", [
      element("span", "", "recovery point " + point.id + (point.state ? ", " + point.state : "")),
      element("span", "", age(state.now - point.createdAt) + " old"),
    ])));
    return card.article;
  });
  const shown = wanted.length ? wanted : [element("p", "empty", "No machine yet")];
  if (shown.length !== at("machines").children.length || shown.some((node, index) => at("machines").children[index] !== node)) {
    at("machines").replaceChildren(...shown);
  }
}

function makeRow(transaction) {
  const row = { tr: document.createElement("tr"), logTr: document.createElement("tr"), status: element("span", "status"), fill: document.createElement("div"),
    bar: element("div", "bar"), time: element("td", "time"), ended: element("td", "ended"), log: document.createElement("pre"), ending: element("span", "ending") };
  const actions = element("td", "actions", [actionButton("Log", "transaction " + transaction.id, (button) => {
    row.logTr.hidden = !row.logTr.hidden;
    button.setAttribute("aria-expanded", String(!row.logTr.hidden));
  }), row.ending]);
  row.logTr.hidden = true;
  const wide = element("td", "", row.log);
  wide.colSpan = 8;
  row.logTr.append(wide);
  row.bar.append(row.fill);
  row.tr.append(element("td", "id", transaction.id), element("td", "", transaction.machineId), element("td", "action", transaction.action),
    element("td", "", row.status), element("td", "", row.bar), row.time, row.ended, actions);
  for (const [label, outcome] of [["Complete", "complete"], ["Fail", "failed"], ["Cancel", "cancelled"]]) {
    row.ending.append(actionButton(label, "transaction " + transaction.id, () => post("/transactions/" + encodeURIComponent(transaction.id) + "/end", { outcome })));
  }
  return row;
}

function actionButton(label, subject, act) {
  const button = element("button", "", label);
  button.type = "button";
  button.setAttribute("aria-label", label + ", " + subject);
  button.addEventListener("click", () => act(button));
  return button;
}

function showTransactions(state) {
  const wanted = state.transactions.map((transaction) => {
    const row = rows.get(transaction.id) ?? makeRow(transaction);
    rows.set(transaction.id, row);
    row.status.className = "status " + transaction.status;
    setText(row.status, transaction.status);
    row.bar.className = "bar " + transaction.status;
    row.fill.style.width = Math.round(transaction.progress * 100) + "%";
    const { createdAt, startedAt, endedAt } = transaction;
    const stopped = endedAt ?? state.now;
    setText(row.time, startedAt === undefined ? (endedAt === undefined ? "waiting " : "waited ") + duration(stopped - createdAt) : duration(stopped - startedAt));
    setText(row.ended, endedAt === undefined ? "" : age(state.now - endedAt) + " ago");
    setText(row.log, transaction.log || "Nothing yet");
    row.ending.hidden = endedAt !== undefined;
    return [row.tr, row.logTr];
  }).flat();
  const body = at("transactions");
  wanted.forEach((tr, index) => {
    if (body.children[index] !== tr) body.insertBefore(tr, body.children[index] ?? null);
  });
  while (body.children.length > wanted.length) body.lastChild.remove();
  const ids = new Set(state.transactions.map((transaction) => transaction.id));
  for (const id of rows.keys()) if (!ids.has(id)) rows.delete(id);
}

function showRequests(state) {
  const lines = state.requests.map((request) => element("li", request.status === undefined || request.status >= 400 ? "wrong" : "",
    new Date(request.at).toLocaleTimeString([], { hour12: false }) + "  " + request.method + " " + request.path + "  " + (request.status ?? "no answer") +
    (request.fault ? "  (fault: " + request.fault + ")" : "")));
  at("requests").replaceChildren(...(lines.length ? lines : [element("li", "empty", "No request yet")]));
}

function say(text, lost) {
  setText(at("connection"), text);
  at("connection").className = lost ? "state lost" : "state";
}

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  }).catch(() => undefined);
  if (answer && !answer.ok) alert((await answer.json()).error);
  await refresh();
}

async function refresh() {
  try {
    const answer = await fetch("/state");
    if (!answer.ok) throw new Error(String(answer.status));
    const state = await answer.json();
    showFacts(state);
    showMachines(state);
    showTransactions(state);
    showRequests(state);
    say("Up to date at " + new Date().toLocaleTimeString([], { hour12: false }), false);
  } catch {
    say("The sandbox does not answer; what is shown is old", true);
  }
}

async function keepUp() {
  await refresh();
  setTimeout(keepUp, refreshEveryMs);
}
void keepUp();
`;
