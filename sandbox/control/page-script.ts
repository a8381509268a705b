/**
 * The page's script. It inserts the panel's words as text, never as markup. A refresh keeps the elements that stay visible, so an opened log stays
 * open, and a button can be clicked while rows move.
 */
export const pageScript = `
"use strict";
const refreshEveryMs = 1000;
const at = (id) => document.getElementById(id);
/** The elements of machines and transactions by their key. */
const kept = new Map();
let shown = new Set();

function keep(key, make) {
  shown.add(key);
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key);
}

function place(parent, nodes, none) {
  const wanted = nodes.length ? nodes : none ? [none] : [];
  wanted.forEach((node, index) => {
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
  while (parent.children.length > wanted.length) parent.lastChild.remove();
}

function element(tag, className, content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  for (const part of [].concat(content ?? [])) made.append(part);
  return made;
}

function setText(node, value, className) {
  if (node.textContent !== value) node.textContent = value;
  if (className !== undefined) node.className = className;
}

/** The two largest parts of a duration: "1h 5m". */
function span(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts = [[seconds / 86400, "d"], [seconds / 3600 % 24, "h"], [seconds / 60 % 60, "m"], [seconds % 60, "s"]].filter(([size]) => size >= 1);
  return parts.slice(0, 2).map(([size, unit]) => Math.floor(size) + unit).join(" ") || "0s";
}

function actionButton(label, subject, act) {
  const button = element("button", "", label);
  button.type = "button";
  button.setAttribute("aria-label", label + ", " + subject);
  button.addEventListener("click", () => act(button));
  return button;
}

function makeCard({ id, label, identifier }) {
  const card = { locked: element("span"), points: element("ul") };
  const add = actionButton("New recovery point", "machine " + id, () => post("/recovery-points", { machineId: id }));
  const title = element("h3", "", [id + " " + label, card.locked]);
  card.article = element("article", "machine", [title, element("div", "identifier", identifier), card.points, add]);
  return card;
}

function cardOf(machine, now) {
  const card = keep("machine " + machine.id, () => makeCard(machine));
  const word = machine.locked ? "locked" : "free";
  setText(card.locked, word, word);
  card.points.replaceChildren(...machine.recoveryPoints.map((point) => element("li", "", [
    element("span", "", "recovery point " + point.id + (point.state ? ", " + point.state : "")),
    element("span", "", span(now - point.createdAt) + " old"),
  ])));
  return card.article;
}

function makeRow({ id, machineId, action }) {
  const row = { status: element("span"), time: element("td", "time"), log: element("pre"), ending: element("span", "ending") };
  const subject = "transaction " + id;
  const open = actionButton("Log", subject, () => {
    row.logTr.hidden = !row.logTr.hidden;
    open.setAttribute("aria-expanded", String(!row.logTr.hidden));
  });
  const end = (outcome) => post("/transactions/" + encodeURIComponent(id) + "/end", { outcome });
  row.ending.append(...[["Complete", "complete"], ["Fail", "failed"], ["Cancel", "cancelled"]].map(([label, outcome]) => actionButton(label, subject, () => end(outcome))));
  row.tr = element("tr", "", [element("td", "id", id), element("td", "", machineId), element("td", "action", action), element("td", "", row.status),
    row.time, element("td", "actions", [open, row.ending])]);
  const wide = element("td", "", row.log);
  wide.colSpan = 6;
  row.logTr = element("tr", "", wide);
  row.logTr.hidden = true;
  return row;
}

function rowsOf(transaction, now) {
  const row = keep("transaction " + transaction.id, () => makeRow(transaction));
  const { status, createdAt, startedAt, endedAt } = transaction;
  setText(row.status, status, "status " + status);
  const waited = startedAt === undefined ? (endedAt === undefined ? "waiting " : "waited ") : "";
  const ended = endedAt === undefined ? "" : ", ended " + span(now - endedAt) + " ago";
  setText(row.time, waited + span((endedAt ?? now) - (startedAt ?? createdAt)) + ended);
  setText(row.log, transaction.log || "Nothing yet");
  row.ending.hidden = endedAt !== undefined;
  return [row.tr, row.logTr];
}

function requestLine({ at, method, path, status, fault }) {
  const time = new Date(at).toLocaleTimeString([], { hour12: false });
  const text = time + "  " + method + " " + path + "  " + (status ?? "no response") + (fault ? "  (fault: " + fault + ")" : "");
  return element("li", status === undefined || status >= 400 ? "wrong" : "", text);
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
    shown = new Set();
    place(at("machines"), state.machines.map((machine) => cardOf(machine, state.now)), element("p", "empty", "No machines yet"));
    place(at("transactions"), state.transactions.flatMap((transaction) => rowsOf(transaction, state.now)));
    place(at("requests"), state.requests.map(requestLine), element("li", "empty", "No requests yet"));
    for (const key of kept.keys()) if (!shown.has(key)) kept.delete(key);
    setText(at("connection"), "Up to date at " + new Date().toLocaleTimeString([], { hour12: false }), "state");
  } catch {
    setText(at("connection"), "The sandbox is not responding; this page is out of date", "state lost");
  }
}

async function keepUp() {
  await refresh();
  setTimeout(keepUp, refreshEveryMs);
}
void keepUp();
`;
