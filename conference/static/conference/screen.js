// The screen at a room's door. It picks what runs and what is next from the times in the page, asks for a newer
// page each minute, and goes on with the one it has while the network is away.

const body = document.body;
const minute = 60_000;
const zone = { timeZone: body.dataset.zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const clock = new Intl.DateTimeFormat("en-GB", zone);

const say = (words, milliseconds) => words.replace("{minutes}", Math.max(1, Math.ceil(milliseconds / minute)));

const show = () => {
  const now = Date.now();
  const main = document.querySelector("main");
  const sessions = [...main.querySelectorAll(".screen-session")].map((item) => (
    { item, start: Date.parse(item.dataset.start), end: Date.parse(item.dataset.end) }
  ));
  const held = sessions.filter(({ item }) => !item.classList.contains("is-cancelled"));
  const running = held.filter(({ start, end }) => start <= now && now < end);
  // What happens in this room comes before a break of everybody's.
  const current = running.find(({ item }) => !item.classList.contains("is-everywhere")) ?? running[0];
  const next = held.find(({ start }) => start > now);
  for (const session of sessions) {
    session.item.classList.toggle("is-now", session === current);
    session.item.classList.toggle("is-next", session === next);
  }
  if (current) current.item.querySelector(".screen-left").textContent = say(main.dataset.left, current.end - now);
  if (next) {
    const wait = next.start - now;
    next.item.querySelector(".screen-left").textContent = wait < 100 * minute ? say(main.dataset.begins, wait) : "";
  }
  main.querySelector(".screen-empty").hidden = Boolean(current || next);
  document.querySelector(".screen-clock").textContent = clock.format(now);
  body.classList.add("is-live");
};

const renew = async () => {
  try {
    const response = await fetch(location.href, { cache: "no-cache", signal: AbortSignal.timeout(20_000) });
    if (!response.ok) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of ["main", ".screen-head h1", ".screen-foot"]) {
      document.querySelector(part).replaceWith(document.adoptNode(page.querySelector(part)));
    }
    body.classList.remove("is-offline");
  } catch {
    body.classList.add("is-offline");
  }
  show();
};

show();
setInterval(show, 5000);
setInterval(renew, minute);
