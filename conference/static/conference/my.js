// My schedule, made in the browser: the rows of the programme that are starred, what overlaps, where time is free,
// and what changed since the visitor last looked. Words come from the page.

(() => {
  const page = document.getElementById("my");
  const store = window.plenaryStars;
  if (!page || !store) return;
  const MINUTE = 60_000;
  const source = document.getElementById("my-source").content;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const part = (name) => page.querySelector(name);
  const line = (tag, name, text) => {
    const item = document.createElement(tag);
    item.className = name;
    item.append(document.createElement("span"));
    item.firstChild.textContent = text;
    return item;
  };

  /** A session's row, or a break's. */
  const describe = (row) => {
    const times = [...row.querySelectorAll(".range time")];
    return {
      row, uid: row.dataset.uid,
      start: times.length ? Date.parse(times[0].dateTime) : null,
      end: times.length ? Date.parse(times.at(-1).dateTime) : null,
      clocks: times.map((time) => time.textContent),
      title: row.querySelector(".title, h4").textContent.trim(),
      room: row.querySelector(".room")?.textContent ?? "",
      isBreak: row.matches(".break"),
      isCancelled: row.classList.contains("is-cancelled"),
    };
  };
  /** The row once more, somewhere else on the page, where its heading has this level. */
  const copy = ({ row }, level) => {
    const item = row.cloneNode(true);
    item.removeAttribute("id");
    item.querySelector(".title").setAttribute("aria-level", level);
    return item;
  };
  let programme = [];
  let all = new Map();
  const readProgramme = () => {
    programme = [...source.querySelectorAll(".row[data-uid]")].map(describe);
    all = new Map(programme.map((session) => [session.uid, session]));
  };

  // A free half hour, which unfolds to what starts in it: here, so that it does without a network too.
  const makeGap = (before, after) => {
    const minutes = Math.round((after.start - before.end) / MINUTE);
    const item = line("div", "gap", fill(page.dataset.free, { minutes, start: before.clocks.at(-1), end: after.clocks[0] }));
    item.id = `gap-${before.end}`;
    const starting = programme.filter(({ start, isCancelled }) => !isCancelled && start >= before.end && start < after.start);
    if (!starting.length) return item;
    const fold = document.createElement("details");
    const summary = document.createElement("summary");
    const words = document.createElement("span");
    words.textContent = fill(page.dataset.starts, { count: starting.length });
    const list = document.createElement("ol");
    list.className = "rows";
    list.append(...starting.map((session) => copy(session, 4)));
    summary.append(item.firstChild, " ", words);
    fold.append(summary, list);
    item.append(fold);
    return item;
  };

  // A cancelled session takes no time.
  const takesTime = ({ start, isCancelled }) => start !== null && !isCancelled;

  const findOverlaps = (session, held) => {
    if (!takesTime(session)) return [];
    return held.filter(({ end, isBreak }) => !isBreak && end > session.start).map((other) => {
      const minutes = Math.round((Math.min(other.end, session.end) - session.start) / MINUTE);
      const words = fill(page.dataset.overlap, { minutes, title: other.title });
      return line("li", "overlap", other.room ? `${words} (${other.room})` : words);
    });
  };

  // What stands between two: free time, or a short way.
  const makeBetween = (session, held) => {
    const last = held.reduce((latest, other) => (latest && latest.end >= other.end ? latest : other), null);
    if (!last || !takesTime(session)) return [];
    const minutes = Math.round((session.start - last.end) / MINUTE);
    if (minutes >= 20) return [makeGap(last, session)];
    const isRush = minutes >= 0 && minutes <= 10 && last.room && session.room && last.room !== session.room;
    return isRush ? [line("div", "rush", fill(page.dataset.rush, { minutes, room: session.room }))] : [];
  };

  /** Leave in a slot what is starred, and a break that lies between; return both, described. */
  const keepStarred = (slot, first, last) => {
    slot.querySelector(".slot-head > p:not(.event-time)")?.remove();
    const items = [...slot.querySelectorAll(".row, .break")].map(describe);
    const kept = items.filter((item) => (
      item.isBreak ? item.start >= first && item.start < last : store.isStarred(item.uid)
    ));
    for (const item of items) if (!kept.includes(item)) item.row.remove();
    return kept;
  };

  const foldEnded = (slots) => {
    if (!slots.length) return [];
    const fold = document.createElement("details");
    fold.className = "ended-fold";
    const summary = document.createElement("summary");
    fold.append(summary, ...slots);
    summary.textContent = fill(page.dataset.ended, { count: fold.querySelectorAll(".row").length });
    return [fold];
  };

  const buildDay = (day, now) => {
    const section = day.cloneNode(true);
    const parts = [...section.querySelectorAll(":scope > .slot, :scope > .rows")];
    const starts = parts.flatMap((part) => [...part.querySelectorAll(".row")]).map(describe)
      .filter(({ uid, start }) => store.isStarred(uid) && start !== null).map(({ start }) => start);
    const [held, ended, coming] = [[], [], []];
    let count = 0;
    let overlaps = 0;
    for (const part of parts) {
      const items = keepStarred(part, Math.min(...starts), Math.max(...starts));
      const sessions = items.filter(({ isBreak }) => !isBreak);
      const isOver = items.length > 0 && items.every(({ end }) => end !== null && end <= now);
      const between = items.flatMap((item) => {
        const found = item === items[0] ? makeBetween(item, held) : [];
        const clash = findOverlaps(item, held);
        item.row.classList.toggle("has-overlap", clash.length > 0 && !item.isBreak);
        if (!isOver && !item.isBreak) item.row.before(...clash);
        overlaps += isOver || item.isBreak ? 0 : clash.length;
        if (takesTime(item)) held.push(item);
        return found;
      });
      count += sessions.length;
      if (isOver && sessions.length) ended.push(part);
      // What is free before something that runs already is past.
      else if (!isOver && items.length) coming.push(...(items[0].start > now ? between : []), part);
    }
    section.replaceChildren(section.querySelector(".day-head"), ...foldEnded(ended), ...coming);
    return { section, count, overlaps };
  };

  // Days in two or more: the way to each.
  const showDays = (days) => {
    const nav = part(".my-days");
    nav.hidden = days.length < 2;
    const list = document.createElement("ul");
    for (const { section, count } of days) {
      const [item, link, number] = ["li", "a", "span"].map((tag) => document.createElement(tag));
      section.id = `d-${section.dataset.day ?? "none"}`;
      link.href = `#${section.id}`;
      number.className = "count";
      number.textContent = count;
      link.append(section.querySelector("h2").textContent, " ", number);
      item.append(link);
      list.append(item);
    }
    window.plenaryUpdate(nav.querySelector("ul"), list);
  };

  const snapshot = ({ start, title, room, isCancelled, clocks }) => ({ start, title, room, isCancelled, clocks: clocks.join("–") });

  // What is otherwise than when the visitor last said "seen"; what was never seen is no news.
  const findNews = (list) => {
    const news = [];
    for (const [uid, [starred]] of Object.entries(list.stars)) {
      const [now, was] = [all.get(uid), list.seen?.[uid]];
      if (!starred || !now || !was) continue;
      const told = [];
      if (now.isCancelled && !was.isCancelled) told.push(page.dataset.cancelled);
      if (now.start !== was.start) told.push(fill(page.dataset.moved, { old: was.clocks }));
      if (now.room !== was.room && was.room) told.push(fill(page.dataset.room, { old: was.room }));
      if (now.title !== was.title) told.push(fill(page.dataset.renamed, { old: was.title }));
      if (told.length) news.push(`${now.title}: ${told.join(" · ")}`);
    }
    return news;
  };

  const remember = (list, isSeen) => {
    list.seen ??= {};
    for (const [uid, [starred]] of Object.entries(list.stars)) {
      if (starred && all.has(uid) && (isSeen || !list.seen[uid])) list.seen[uid] = snapshot(all.get(uid));
      if (!starred) delete list.seen[uid];
    }
    store.write(list);
  };

  const fillList = (element, texts) => {
    element.hidden = !texts.length;
    element.querySelector("ul").replaceChildren(...texts.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }));
  };

  const showLinks = (list, count) => {
    part(".actions").hidden = !list.links && !count;
    part("[data-print]").hidden = !count;
    part("[data-take]").hidden = Boolean(list.links) || !count;
    part("[data-here]").hidden = Boolean(list.links) || !count;
    for (const name of ["devices", "subscribe"]) part(`[data-${name}]`).hidden = !list.links;
    if (!list.links) return;
    part("[data-devices]").href = new URL(list.links.url).pathname;
    part("[data-subscribe]").href = list.links.feed.replace(/^https?:/, "webcal:");
  };

  const showNext = (now) => {
    const coming = programme.filter(({ end, isCancelled }) => end > now && !isCancelled).slice(0, 3);
    part(".my-empty .rows").replaceChildren(...coming.map((session) => copy(session, 2)));
  };

  let isShowing = false;
  const show = () => {
    if (isShowing) return;
    isShowing = true;
    const now = Date.now();
    const list = store.read();
    const days = [...source.querySelectorAll(".day")].map((day) => buildDay(day, now)).filter(({ count }) => count);
    const plan = document.createElement("div");
    plan.append(...days.map(({ section }) => section));
    // What is unfolded stays so, and the focus where it is.
    showDays(days);
    window.plenaryUpdate(part(".my-plan"), plan);
    const starred = Object.entries(list.stars).filter(([, [isStarred]]) => isStarred).map(([uid]) => uid);
    const there = starred.filter((uid) => all.has(uid)).map((uid) => all.get(uid));
    const toCome = there.filter(({ end, isCancelled }) => !isCancelled && (end === null || end > now)).length;
    const overlaps = days.reduce((sum, day) => sum + day.overlaps, 0);
    const said = [fill(page.dataset.summary, { count: toCome })];
    if (overlaps) said.push(fill(page.dataset.overlaps, { count: overlaps }));
    part(".my-summary").textContent = starred.length ? said.join(" · ") : "";
    fillList(part(".my-news"), findNews(list));
    fillList(part(".my-missing"), starred.filter((uid) => !all.has(uid)).map((uid) => list.titles[uid] || uid));
    part(".my-empty").hidden = starred.length > 0;
    if (!starred.length) showNext(now);
    showLinks(list, starred.length);
    remember(list, false);
    store.show();
    document.dispatchEvent(new Event("plenary:planned"));
    isShowing = false;
  };

  part("[data-seen]").addEventListener("click", () => {
    remember(store.read(), true);
    show();
  });
  part("[data-print]").addEventListener("click", () => print());
  part("[data-take]").addEventListener("click", async () => {
    const changes = Object.entries(store.read().stars).map(([uid, [starred, at]]) => [uid, starred, at]);
    try {
      const response = await fetch(page.dataset.keep, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ changes }),
      });
      if (!response.ok) throw new Error(response.statusText);
      const list = store.keep(await response.json());
      location.assign(new URL(list.links.url).pathname);
    } catch {
      store.say(document.getElementById("star-words").dataset.later);
    }
  });
  document.addEventListener("plenary:stars", show);
  document.addEventListener("plenary:updated", () => {
    readProgramme();
    show();
  });
  setInterval(show, MINUTE);
  readProgramme();
  show();
})();
